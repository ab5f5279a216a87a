/** Where an answer is read: whose it is, and the beginning of the addresses in it. */
export interface AnswerPlace {
  readonly businessId: string
  /** Up to the path. [requests#answers] */
  readonly base: string
}

/** Where an image is served, without a key; null: there is none. [resources#images] */
export const imageAddress = (base: string, imageId: string | null): string | null =>
  imageId === null ? null : `${base}/images/${imageId}`
