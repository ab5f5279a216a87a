/** Work that one process at a time does, shared by rows. [machines#parts] */
export interface Leases {
  /**
   * Takes or renews the lease `name` for `ms` from now, by the store's clock. False while another
   * holder has it.
   */
  take(name: string, holder: string, ms: number): Promise<boolean>

  /** Gives up all that `holder` has, so that others need not wait. */
  release(holder: string): Promise<void>
}
