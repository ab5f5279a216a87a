import { randomBytes } from 'node:crypto'

/** No 0, 1, 8 or 9, which are read wrongly: 5 bits each. */
const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

/** A new license key: four groups of eight, 160 random bits. [licenses#license-keys] */
export function randomLicenseKey(): string {
  const text = Array.from(randomBytes(32), (byte) => letters[byte & 31]).join('')
  return text.replace(/.{8}(?=.)/g, '$&-')
}
