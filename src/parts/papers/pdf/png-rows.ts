/** How samples stand in the data of a PNG. */
export interface PngForm {
  readonly width: number
  readonly height: number
  /** Of a sample. */
  readonly bits: number
  /** Samples a dot. */
  readonly channels: number
  readonly isInterlaced: boolean
}

/** A run over some of the dots: every `dx`th of every `dy`th row. */
interface Pass {
  readonly x: number
  readonly y: number
  readonly dx: number
  readonly dy: number
}

const whole: readonly Pass[] = [{ x: 0, y: 0, dx: 1, dy: 1 }]

/** Adam7: https://www.w3.org/TR/png-3/#8Interlace. */
const interlaced: readonly Pass[] = [
  { x: 0, y: 0, dx: 8, dy: 8 },
  { x: 4, y: 0, dx: 8, dy: 8 },
  { x: 0, y: 4, dx: 4, dy: 8 },
  { x: 2, y: 0, dx: 4, dy: 4 },
  { x: 0, y: 2, dx: 2, dy: 4 },
  { x: 1, y: 0, dx: 2, dy: 2 },
  { x: 0, y: 1, dx: 1, dy: 2 },
]

/**
 * Shows each dot's samples. False: the data is not exactly as long as the dots need, or names a
 * filter that there is not. `inflate` is told how long the data must be, and throws beyond that.
 */
export function crossed(
  form: PngForm,
  inflate: (length: number) => Uint8Array,
  show: (x: number, y: number, samples: readonly number[]) => void,
): boolean {
  const passes = (form.isInterlaced ? interlaced : whole)
    .map((pass) => ({
      ...pass,
      columns: Math.ceil((form.width - pass.x) / pass.dx),
      rows: Math.ceil((form.height - pass.y) / pass.dy),
    }))
    .filter(({ columns, rows }) => columns > 0 && rows > 0)
  const stride = (columns: number) => Math.ceil((columns * form.bits * form.channels) / 8)
  const length = passes.reduce((sum, each) => sum + each.rows * (1 + stride(each.columns)), 0)
  const data = inflate(length)
  if (data.length !== length) return false
  const samples = samplesOf(form)
  let at = 0
  for (const { columns, dx, dy, rows, x, y } of passes) {
    const bytes = stride(columns)
    let above: Uint8Array = new Uint8Array(bytes)
    for (let row = 0; row < rows; row += 1) {
      const line = data.subarray(at + 1, at + 1 + bytes)
      if (!unfilter(data[at] ?? 5, line, { above, back: backOf(form) })) return false
      for (let column = 0; column < columns; column += 1) {
        show(x + column * dx, y + row * dy, samples(line, column))
      }
      above = line
      at += 1 + bytes
    }
  }
  return true
}

/** How many bytes before a byte the same one of the dot before is. */
const backOf = ({ bits, channels }: PngForm): number => Math.max(1, (bits * channels) >> 3)

/** Undoes a row's filter in place: https://www.w3.org/TR/png-3/#9Filters. False: it is none. */
function unfilter(
  filter: number,
  line: Uint8Array,
  { above, back }: { readonly above: Uint8Array; readonly back: number },
): boolean {
  const predict = predictors[filter]
  if (predict === undefined) return false
  for (let at = 0; at < line.length; at += 1) {
    const left = at < back ? 0 : (line[at - back] ?? 0)
    const up = above[at] ?? 0
    const corner = at < back ? 0 : (above[at - back] ?? 0)
    line[at] = (line[at] ?? 0) + predict(left, up, corner)
  }
  return true
}

const predictors: readonly ((left: number, up: number, corner: number) => number)[] = [
  () => 0,
  (left) => left,
  (_, up) => up,
  (left, up) => (left + up) >> 1,
  (left, up, corner) => {
    const [byLeft, byUp] = [Math.abs(up - corner), Math.abs(left - corner)]
    const byCorner = Math.abs(left + up - 2 * corner)
    if (byLeft <= byUp && byLeft <= byCorner) return left
    return byUp <= byCorner ? up : corner
  },
]

/** The samples of a dot of a row; the array is the same each time. */
function samplesOf({ bits, channels }: PngForm) {
  const samples = Array.from({ length: channels }, () => 0)
  return (line: Uint8Array, column: number): readonly number[] => {
    for (let of = 0; of < channels; of += 1) {
      const number = column * channels + of
      if (bits === 8) samples[of] = line[number] ?? 0
      else if (bits === 16)
        samples[of] = ((line[2 * number] ?? 0) << 8) | (line[2 * number + 1] ?? 0)
      else {
        const from = number * bits
        samples[of] = ((line[from >> 3] ?? 0) >> (8 - bits - (from & 7))) & (2 ** bits - 1)
      }
    }
    return samples
  }
}
