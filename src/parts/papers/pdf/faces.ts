import type { Sheet } from '../../../rules/commerce/invoices/sheet.ts'
import { coverageOf } from './coverage.ts'
import type { Face } from './document.ts'
import type { Pieces, Slice, Weight } from './fonts.ts'
import { cut, openPieces } from './fonts.ts'
import { charactersOf, drawnAs } from './lines.ts'

/** The fonts of a paper, each with the characters that the paper needs of it. */
export interface Faces extends Pick<Pieces, 'draw'> {
  readonly faces: readonly Face[]
}

/** Reads and cuts the fonts in which the sheet can be drawn. */
export async function facesOf(sheet: Sheet): Promise<Faces> {
  const pieces = openPieces(sheet.country)
  const texts = [...new Set(textsOf(sheet))].map(drawnAs)
  const cuts = new Map<string, Uint8Array>()
  for (;;) {
    const needed = [...neededOf(texts, pieces)]
    const faces: Face[] = []
    let lacks = false
    for (const [slice, characters] of needed) {
      // In one order, so that the same texts become the same bytes.
      const all = [...characters].sort().join('')
      for (const weight of weights) {
        const font = await cutOnce(slice, weight, all)
        faces.push({ slice, weight, font })
        const covered = coverageOf(font)
        for (const character of characters) {
          if (covered.has(character.codePointAt(0) ?? 0)) continue
          pieces.lack(slice, character)
          lacks = true
        }
      }
    }
    if (!lacks) return { faces, draw: pieces.draw }
  }

  async function cutOnce(slice: Slice, weight: Weight, characters: string): Promise<Uint8Array> {
    const key = `${slice.id} ${weight} ${characters}`
    const font = cuts.get(key) ?? (await cut(slice, weight, characters))
    cuts.set(key, font)
    return font
  }
}

const weights: readonly Weight[] = ['normal', 'bold']

/** The characters that each piece is to draw. */
function neededOf(
  texts: readonly string[],
  { draw }: Pieces,
): ReadonlyMap<Slice, ReadonlySet<string>> {
  const needed = new Map<Slice, Set<string>>()
  for (const { characters } of texts.flatMap((text) => [...charactersOf(text)])) {
    for (const { slice, text } of draw(characters)) {
      const all = needed.get(slice) ?? new Set()
      for (const character of text) all.add(character)
      needed.set(slice, all)
    }
  }
  return needed
}

/** Everything that is drawn, and how parentheses look the other way round. */
function* textsOf(sheet: Sheet): Generator<string> {
  yield ' 0123456789()[]<>{}«»'
  const { buyer, columns, facts, footer, heading, notes, notice, rows, seller, totals } = sheet
  yield* [heading, footer, notice ?? '', ...notes]
  const parties = buyer === null ? [seller] : [seller, buyer]
  for (const party of parties) yield* [party.label ?? '', party.name, ...party.lines]
  for (const { label, value } of [...facts, ...totals]) yield* [`${label}:`, value]
  yield* columns.map(({ label }) => label)
  for (const { cells, details } of rows) yield* [...cells, ...details]
}
