/** Anything whose second `close` must do nothing, since a test may have closed it already. */
export function closedOnce<T extends { close(): Promise<void> }>(one: T): T {
  let open = true
  const { close } = one
  one.close = async () => {
    if (open) await close()
    open = false
  }
  return one
}
