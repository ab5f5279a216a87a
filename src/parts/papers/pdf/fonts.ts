import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'

const require = createRequire(import.meta.url)

// subset-font: what a paper needs of a font, at one weight. This is the only import of it.
const subsetFont: SubsetFont = require('subset-font')

type SubsetFont = (
  font: Uint8Array,
  characters: string,
  options: {
    readonly targetFormat: 'sfnt'
    readonly variationAxes?: Readonly<Record<string, number>>
  },
) => Promise<Uint8Array>

const weights = { normal: 400, bold: 700 } as const
export type Weight = keyof typeof weights

/** A file of a font: one of the pieces into which its package divides it, by characters. */
export interface Slice {
  readonly id: string
  /** Whether the script of the font is written from right to left. */
  readonly isRightToLeft: boolean
}

/** Which piece of which font draws what. */
export interface Pieces {
  /**
   * What draws characters that belong together: one piece, or where none has all of them, one each;
   * what no font has is shown as missing.
   */
  draw(cluster: string): readonly Drawn[]
  /** Learns that a piece does not have what its package says it is for. */
  lack(slice: Slice, character: string): void
}

export interface Drawn {
  readonly slice: Slice
  readonly text: string
}

/** What stands for a character that no font has: that something is missing must be seen. */
const missing = '\uFFFD'

/** What makes one picture of the characters beside it, and is nothing by itself. */
const joining = /\p{Default_Ignorable_Code_Point}/u

/** What changes the character before it, and is not missed where that is drawn without it. */
const modifying = /[\p{M}\p{Emoji_Modifier}]/u

interface KnownSlice extends Slice {
  readonly isVariable: boolean
  fileOf(wght: number): string
  has(codePoint: number): boolean
}

/**
 * The fonts that papers are drawn in, each with the habits of its country where it shares
 * characters with others. All are published under the SIL Open Font License.
 */
export function openPieces(country: string): Pieces {
  const chosen = new Map<string, readonly Drawn[]>()
  const lacking = new Set<string>()
  return { draw, lack }

  function lack({ id }: Slice, character: string): void {
    lacking.add(`${id} ${character.codePointAt(0)}`)
    chosen.clear()
  }

  function draw(cluster: string): readonly Drawn[] {
    let found = chosen.get(cluster)
    if (found === undefined) {
      found = search(cluster)
      chosen.set(cluster, found)
    }
    return found
  }

  function search(cluster: string): readonly Drawn[] {
    const slice = sliceWith(cluster)
    if (slice !== null) return [{ slice, text: cluster }]
    const drawn = [...cluster].filter((text) => !joining.test(text)).flatMap(drawnAlone)
    return drawn.length > 0 || !/\p{M}/u.test(cluster) ? drawn : drawnAlone(missing)
  }

  function drawnAlone(text: string): readonly Drawn[] {
    const slice = sliceWith(text)
    if (slice !== null) return [{ slice, text }]
    return text === missing || modifying.test(text) ? [] : drawnAlone(missing)
  }

  function sliceWith(cluster: string): Slice | null {
    const codePoints = [...cluster].map((each) => each.codePointAt(0) ?? 0)
    for (const name of [...scripts, ...shared(country, codePoints), pictures]) {
      const slice = slicesOf(name).find(({ has, id }) =>
        codePoints.every((each) => has(each) && !lacking.has(`${id} ${each}`)),
      )
      if (slice !== undefined) return slice
    }
    return null
  }
}

/** So many characters of one font at one weight, as a font file of their own. */
export async function cut(slice: Slice, weight: Weight, characters: string): Promise<Uint8Array> {
  const { fileOf, isVariable } = slice as KnownSlice
  const wght = weights[weight]
  return new Uint8Array(
    await subsetFont(readFileSync(fileOf(wght)), characters, {
      targetFormat: 'sfnt',
      ...(isVariable ? { variationAxes: { wght } } : {}),
    }),
  )
}

/** A package that holds a font. */
interface Package {
  readonly name: string
  /** The part that the font is used for, since another has the others; null: all. */
  readonly part: string | null
  /** One file for all weights. */
  readonly isVariable: boolean
}

const variable = (script: string, part: string | null): Package => ({
  name: `@fontsource-variable/noto-sans${script}`,
  part,
  isVariable: true,
})

const scripts: readonly Package[] = [
  variable('', null),
  // The letters of other fonts share glyphs, and could not be copied out of a file.
  { name: '@fontsource/amiri', part: 'arabic', isVariable: false },
  variable('-hebrew', 'hebrew'),
  variable('-thai', 'thai'),
]

/** Emoji in outline: paper is black on white, and pictures in colour cannot be cut. */
const pictures: Package = {
  name: '@fontsource-variable/noto-emoji',
  part: null,
  isVariable: true,
}

const eastern: readonly Package[] = ['-sc', '-jp', '-kr'].map((script) => variable(script, null))

/** The buyer's country says whose habits are meant; China's font has most of what others have. */
function shared(country: string, codePoints: readonly number[]): readonly Package[] {
  if (!codePoints.some((each) => each >= 0x1100)) return []
  const first = eastern.filter(({ name }) => name.endsWith(byCountry[country] ?? '-sc'))
  return [...first, ...eastern.filter((each) => !first.includes(each))]
}

const byCountry: Readonly<Record<string, string>> = { JP: '-jp', KP: '-kr', KR: '-kr' }

const known = new Map<Package, readonly KnownSlice[]>()

/** Read at first use: most papers need one package alone. */
function slicesOf(of: Package): readonly KnownSlice[] {
  let slices = known.get(of)
  if (slices === undefined) {
    slices = readSlices(of)
    known.set(of, slices)
  }
  return slices
}

function readSlices({ isVariable, name, part: only }: Package): readonly KnownSlice[] {
  const ranges = JSON.parse(readFileSync(require.resolve(`${name}/unicode.json`), 'utf8')) as {
    readonly [part: string]: string
  }
  const short = name.split('/')[1] ?? name
  return Object.entries(ranges).flatMap(([key, text]) => {
    const part = key.replace(/^\[(\d+)\]$/, '$1')
    if (only !== null && part !== only) return []
    const fileOf = (wght: number): string =>
      require.resolve(`${name}/files/${short}-${part}-${isVariable ? 'wght' : wght}-normal.woff2`)
    const isRightToLeft = part === 'arabic' || part === 'hebrew'
    return [{ id: `${short}-${part}`, fileOf, isVariable, isRightToLeft, has: within(text) }]
  })
}

/** `U+0100-02BA,U+20AC` */
function within(ranges: string): KnownSlice['has'] {
  const bounds = ranges.split(',').map((each) => {
    const [from = '', to = from] = each.trim().replace('U+', '').split('-')
    return [Number.parseInt(from, 16), Number.parseInt(to, 16)] as const
  })
  return (codePoint) => bounds.some(([from, to]) => from <= codePoint && codePoint <= to)
}
