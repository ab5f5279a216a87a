/**
 * The ids of the run that starts at `start`, so that any process can tell whether they are known.
 */
export function runIds(partition: number, start: number): Uint32Array {
  const length = (start * 7) % 50
  return Uint32Array.from({ length: length * 3 }, (_, index) => {
    return Math.imul(start * 1_000 + index * 2 + partition + 1, 0x9e3779b1)
  })
}
