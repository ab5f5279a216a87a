/** A key of each access, made by an operator while the server runs. */
export interface Keys {
  readonly write: string
  readonly read: string
  readonly live: string
}

/** A business with a key of each access. */
export interface Furnished {
  readonly businessId: string
  readonly keys: Keys
}
