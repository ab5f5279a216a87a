import type { Pieces, Slice, Weight } from './fonts.ts'
import type { Direction, Levels } from './order.ts'
import { directionOf, fromLeft, levelsOf, mirrored } from './order.ts'

/** A stretch of a line in one font and one direction, as it is seen. */
export interface GlyphRun {
  readonly slice: Slice
  readonly text: string
  readonly level: number
}

/** A line of a text: its runs from left to right. */
export interface TextLine {
  readonly runs: readonly GlyphRun[]
  readonly width: number
  readonly direction: Direction
}

/** How a text is set. Sizes and widths are in points. */
export interface Setting {
  readonly width: number
  readonly size: number
  readonly weight: Weight
  readonly direction: Direction
}

export interface SettingNeeds extends Pick<Pieces, 'draw'> {
  widthOf(run: GlyphRun, setting: Setting): number
}

/** What is drawn together, and where the text may be broken before it. */
interface Cluster {
  readonly text: string
  readonly slice: Slice
  readonly level: number
  readonly mayBreak: boolean
}

/** Breaks a text into lines that fit: between words, and where a word is too long, within it. */
export function brokenIntoLines(
  needs: SettingNeeds,
  written: string,
  setting: Setting,
): readonly TextLine[] {
  const text = drawnAs(written)
  const levels = levelsOf(text, setting.direction)
  const clusters = clustersOf(needs, text, levels)
  const lines: TextLine[] = []
  let from = 0
  while (from < clusters.length) {
    const to = lineEnd(needs, { clusters, from }, setting)
    lines.push(lineOf(needs, clusters.slice(from, to), { levels, setting }))
    from = to
  }
  return lines
}

/** The form in which fonts have texts. */
export const drawnAs = (text: string): string =>
  // Shaping takes this Thai vowel apart, and what is copied out would then have half of it twice.
  text.normalize('NFC').replaceAll('\u0e33', '\u0e4d\u0e32')

function clustersOf({ draw }: SettingNeeds, text: string, levels: Levels): readonly Cluster[] {
  const breaks = breaksOf(text)
  const clusters: Cluster[] = []
  for (const { at, characters } of charactersOf(text)) {
    for (const [nth, drawn] of draw(characters).entries()) {
      const mayBreak = nth === 0 && breaks.has(at)
      clusters.push({ ...drawn, level: levels.levels[at] ?? 0, mayBreak })
    }
  }
  return clusters
}

/**
 * Characters that are drawn together, and where in the text they begin; without controls and marks
 * that only say in which order text goes.
 */
export function* charactersOf(
  text: string,
): Generator<{ readonly at: number; readonly characters: string }> {
  for (const { segment, index } of graphemes.segment(text)) {
    const characters = segment.replace(invisible, '').replace(/\s/g, ' ')
    if (characters !== '') yield { at: index, characters }
  }
}

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' })
const words = new Intl.Segmenter('en', { granularity: 'word' })

/** Controls, and marks that say the direction or the look of what is beside them. */
const invisible = /[\p{Cc}\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff]|\ufe0e|\ufe0f/gu

/** Scripts in which words have no space between them. */
const spaceless = /[\p{sc=Thai}\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}]/u

/** What no line begins with. */
const closing = /^[\p{Pe}\p{Pf}、。，．・：；？！ー々ๆฯ,.;:!?%]/u

function breaksOf(text: string): ReadonlySet<number> {
  const breaks = new Set<number>()
  for (const { index, segment } of words.segment(text)) {
    const before = text.slice(0, index)
    const isSpaceless = spaceless.test(before.slice(-1)) || spaceless.test(segment.slice(0, 1))
    const mayBreak = /[ \t\n\u2010\u2013-]$/.test(before) || isSpaceless
    if (mayBreak && !closing.test(segment) && !/^\s/.test(segment)) breaks.add(index)
  }
  return breaks
}

interface Rest {
  readonly clusters: readonly Cluster[]
  readonly from: number
}

/** Where the line that begins at `from` ends. */
function lineEnd(needs: SettingNeeds, { clusters, from }: Rest, setting: Setting): number {
  const widthTo = (to: number): number =>
    runsOf(withoutEnd(clusters.slice(from, to))).reduce(
      (sum, run) => sum + needs.widthOf(run, setting),
      0,
    )
  if (widthTo(clusters.length) <= setting.width) return clusters.length
  const stops = clusters.flatMap(({ mayBreak }, at) => (mayBreak && at > from ? [at] : []))
  const atWord = last(stops, (to) => widthTo(to) <= setting.width)
  if (atWord !== null) return atWord
  const within = clusters.flatMap((_, at) => (at > from ? [at] : []))
  return last(within, (to) => widthTo(to) <= setting.width) ?? from + 1
}

/** The last that holds, where all before it hold and none after it does. */
function last(all: readonly number[], holds: (each: number) => boolean): number | null {
  let [low, high] = [0, all.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if (holds(all[middle] ?? 0)) low = middle + 1
    else high = middle
  }
  return all[low - 1] ?? null
}

function lineOf(
  needs: SettingNeeds,
  clusters: readonly Cluster[],
  { levels, setting }: { readonly levels: Levels; readonly setting: Setting },
): TextLine {
  const runs = fromLeft(runsOf(withoutEnd(clusters)))
  const width = runs.reduce((sum, run) => sum + needs.widthOf(run, setting), 0)
  return { runs, width, direction: directionOf(levels) }
}

/** Spaces at the end of a line are not seen. */
function withoutEnd(clusters: readonly Cluster[]): readonly Cluster[] {
  let end = clusters.length
  while (end > 0 && clusters[end - 1]?.text === ' ') end -= 1
  return clusters.slice(0, end)
}

/** In the order in which they are read. */
function runsOf(clusters: readonly Cluster[]): readonly GlyphRun[] {
  const stretches: { readonly first: Cluster; readonly texts: string[] }[] = []
  for (const cluster of clusters) {
    const open = stretches.at(-1)
    const isSame = open?.first.slice === cluster.slice && open.first.level === cluster.level
    if (open !== undefined && isSame) open.texts.push(cluster.text)
    else stretches.push({ first: cluster, texts: [cluster.text] })
  }
  return stretches.map(({ first: { level, slice }, texts }) => ({
    slice,
    level,
    text: level % 2 === 1 && !slice.isRightToLeft ? turned(texts) : texts.join(''),
  }))
}

/** A font of the other direction does not turn what stands in text from right to left. */
const turned = (texts: readonly string[]): string => texts.toReversed().map(mirrored).join('')
