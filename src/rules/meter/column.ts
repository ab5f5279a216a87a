/** Numbers of one kind, one after another, in memory that doubles when it is full. */
export interface Column<T extends Uint32Array | Float64Array> {
  push(value: number): void
  append(values: T): void
  /**
   * A copy of exactly what was added: a view would take its whole buffer along to another thread.
   */
  done(): T
}

export const words = (): Column<Uint32Array> => column((length) => new Uint32Array(length))
export const doubles = (): Column<Float64Array> => column((length) => new Float64Array(length))

function column<T extends Uint32Array | Float64Array>(make: (length: number) => T): Column<T> {
  let data = make(1_024)
  let length = 0
  return {
    push(value) {
      if (length === data.length) grow(length + 1)
      data[length] = value
      length += 1
    },
    append(values) {
      if (length + values.length > data.length) grow(length + values.length)
      data.set(values, length)
      length += values.length
    },
    done() {
      const exact = make(length)
      exact.set(data.subarray(0, length))
      return exact
    },
  }

  function grow(least: number): void {
    const larger = make(Math.max(least, data.length * 2))
    larger.set(data)
    data = larger
  }
}
