/** `1 event`, `2 events`: for nouns whose plural is made by an s. */
export const plural = (count: number, noun: string): string =>
  `${count} ${noun}${count === 1 ? '' : 's'}`
