/** Something, one @, labels between dots. Whether mail arrives only a mail can tell. */
export const emailPattern =
  '^[^\\s@\\u0000\\p{Cs}]+@[^\\s@.\\u0000\\p{Cs}]+(\\.[^\\s@.\\u0000\\p{Cs}]+)*$'

const pattern = new RegExp(emailPattern, 'u')

export const isEmail = (text: string): boolean => pattern.test(text)
