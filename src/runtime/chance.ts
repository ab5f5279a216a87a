/** From 0 to 1, for what must not happen to all at the same moment. */
export const chance = (): number => Math.random()
