/** Something that goes wrong for a while, and the alerts that must say so. */
export interface Fault {
  readonly name: string
  readonly alerts: readonly string[]
  /** Begins and ends it. */
  strike(): Promise<void>
}
