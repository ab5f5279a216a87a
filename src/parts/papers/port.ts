import type { Sheet } from '../../rules/commerce/invoices/sheet.ts'

/** Draws papers, away from the threads that serve requests. */
export interface Papers {
  /**
   * The paper as a PDF. `logo`: the seller's image, whatever is in it; what cannot be shown is left
   * out. Throws UNAVAILABLE where too many wait already, where it takes too long, or
   * where drawing failed: nothing else suffers from it, and it may be tried again.
   */
  draw(sheet: Sheet, logo: Uint8Array | null): Promise<Uint8Array>
}
