/** `1 event`, `2 events`: for nouns that form their plural with an s. */
export const plural = (count: number, noun: string): string =>
  `${count} ${noun}${count === 1 ? '' : 's'}`
