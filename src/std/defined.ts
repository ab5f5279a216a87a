/** The fields without those that are undefined. */
export const defined = <T extends object>(fields: T): Defined<T> =>
  Object.fromEntries(
    Object.entries(fields).filter(([, value]) => value !== undefined),
  ) as Defined<T>

export type Defined<T> = { readonly [Field in keyof T]?: Exclude<T[Field], undefined> }
