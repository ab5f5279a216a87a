/** Leases for work that only one process at a time may do. [machines#parts] */
export interface Leases {
  /**
   * Takes or renews the lease `name` for `ms` from now, by the store's clock. False while another
   * holder has it.
   */
  take(name: string, holder: string, ms: number): Promise<boolean>

  /** Gives up all leases of `holder`, so that others need not wait for their end. */
  release(holder: string): Promise<void>
}
