/** Makes a second `close` do nothing: the test may have closed it before its suite does. */
export function closedOnce<T extends { close(): Promise<void> }>(one: T): T {
  let open = true
  const { close } = one
  one.close = async () => {
    if (open) await close()
    open = false
  }
  return one
}
