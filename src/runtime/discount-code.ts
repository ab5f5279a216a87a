import { randomInt } from 'node:crypto'

const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ'
const length = 16

/** A discount code that nobody guesses: 16 capitals, 75 bits. [resources#discounts] */
export const randomDiscountCode = (): string =>
  Array.from({ length }, () => letters[randomInt(letters.length)]).join('')
