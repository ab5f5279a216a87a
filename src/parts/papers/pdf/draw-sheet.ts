import type {
  Sheet,
  SheetColumn,
  SheetParty,
  SheetRow,
} from '../../../rules/commerce/invoices/sheet.ts'
import type { Canvas, Spot } from './document.ts'
import { openCanvas } from './document.ts'
import { facesOf } from './faces.ts'
import type { Setting, SettingNeeds, TextLine } from './lines.ts'
import { brokenIntoLines } from './lines.ts'
import type { Logo } from './logo.ts'
import { logoOf } from './logo.ts'
import type { DrawnPaper } from './papers.ts'

/** What can be read of a paper without its colors. */
const black = '#1a1a1a'
const grey = '#595959'
const pale = '#bfbfbf'

const sizes = { heading: 22, name: 12, text: 9.5, small: 8 } as const
/** From one line to the next, as a share of the size. Thai and Arabic need more than Latin. */
const leading = 1.5

/**
 * Draws a paper as a PDF: tagged, with its fonts, one page where it fits. A logo that cannot
 * be shown is left out. [invoices#pdf, invoices#logo]
 */
export async function drawSheet({ logo, sheet }: DrawnPaper): Promise<Uint8Array> {
  const { draw, faces } = await facesOf(sheet)
  const canvas = openCanvas(sheet, faces)
  const pen = penOf(sheet, canvas, { draw, widthOf: canvas.widthOf })
  drawTop(sheet, pen, logo === null ? null : logoOf(logo))
  drawTable(sheet, pen)
  drawEnd(sheet, pen)
  canvas.onEachPage((page, pages) => {
    const text = sheet.footer.replace('{page}', `${page}`).replace('{pages}', `${pages}`)
    canvas.ornament(() => {
      canvas.ink(grey)
      pen.put(text, { ...pen.whole, side: 'end', size: sizes.small, y: canvas.page.bottom + 14 })
    })
  })
  return canvas.finish()
}

/** Where a text stands, and how: `side` is that on which the language's lines begin, or end. */
interface Putting extends Pick<Setting, 'size' | 'weight' | 'width'> {
  readonly x: number
  readonly y: number
  readonly side: 'start' | 'end'
}

interface Pen {
  readonly canvas: Canvas
  /** Where the next thing is drawn. */
  y: number
  /** The width of the page, as text begins. */
  readonly whole: Omit<Putting, 'y'>
  /** The lines of a text as it will be put. */
  lines(text: string, putting: Omit<Putting, 'y'>): readonly TextLine[]
  /** Draws a text within a part. Answers where it ends. */
  put(text: string, putting: Putting): number
  /** A stretch of the page's width, counted from the side on which lines begin. */
  stretch(from: number, to: number): Pick<Putting, 'x' | 'width'>
  /** Goes to the next page unless there is so much room left. True: it did. */
  need(height: number): boolean
}

function penOf({ direction }: Sheet, canvas: Canvas, needs: SettingNeeds): Pen {
  const { page } = canvas
  const width = page.right - page.left
  const pen: Pen = {
    canvas,
    y: 50,
    whole: { x: page.left, width, side: 'start', size: sizes.text, weight: 'normal' },
    lines: (text, putting) => brokenIntoLines(needs, text, { ...putting, direction }),
    put,
    stretch: (from, to) => ({
      x: page.left + width * (direction === 'ltr' ? from : 1 - to),
      width: width * (to - from),
    }),
    need,
  }
  return pen

  function put(text: string, putting: Putting): number {
    let { y } = putting
    for (const line of pen.lines(text, putting)) {
      canvas.line(line, { ...putting, direction }, { x: leftOf(line, putting), y })
      y += putting.size * leading
    }
    return y
  }

  function leftOf(line: TextLine, { x, width, side }: Putting): number {
    const isLeft = (side === 'start') === (direction === 'ltr')
    return isLeft ? x : x + width - line.width
  }

  function need(height: number): boolean {
    if (pen.y + height <= page.bottom) return false
    canvas.addPage()
    pen.y = 50
    return true
  }
}

function drawTop(sheet: Sheet, pen: Pen, logo: Logo | null): void {
  const { canvas } = pen
  const top = pen.y
  canvas.group('Sect', () => {
    canvas.ink(black)
    const place = { ...pen.whole, ...pen.stretch(0.5, 1), y: top, side: 'end' } as const
    let y = paragraph(pen, sheet.heading, {
      kind: 'H1',
      ...place,
      size: sizes.heading,
      weight: 'bold',
    })
    for (const { label, value } of sheet.facts) {
      y = paragraph(pen, `${label}: ${value}`, { ...place, y })
    }
    const start = { ...pen.stretch(0, 0.48), y: top }
    const x = sheet.direction === 'ltr' ? start.x : start.x + start.width - (logo?.width ?? 0)
    if (logo !== null) canvas.logo(logo, { x, y: top })
    const under = logo === null ? top : top + logo.height + 10
    const below = drawParty(pen, sheet.seller, { ...start, y: under })
    pen.y = Math.max(y, below) + 18
  })
  if (sheet.notice !== null) {
    pen.y = paragraph(pen, sheet.notice, { ...pen.whole, y: pen.y, weight: 'bold' }) + 10
  }
  if (sheet.buyer === null) return
  pen.y = drawParty(pen, sheet.buyer, { ...pen.stretch(0, 0.6), y: pen.y }) + 18
}

function drawParty(
  pen: Pen,
  { label, lines, name }: SheetParty,
  place: Spot & Pick<Putting, 'width'>,
): number {
  const { canvas } = pen
  let { y } = place
  canvas.group('Sect', () => {
    canvas.ink(grey)
    if (label !== null) {
      y = paragraph(pen, label, { kind: 'H2', ...pen.whole, ...place, y, size: sizes.small })
    }
    canvas.ink(black)
    y = paragraph(pen, name, { ...pen.whole, ...place, y, size: sizes.name, weight: 'bold' })
    for (const line of lines) y = paragraph(pen, line, { ...pen.whole, ...place, y })
  })
  return y
}

interface Paragraph extends Putting {
  /** Absent: a paragraph. */
  readonly kind?: 'H1' | 'H2' | 'P'
}

function paragraph(pen: Pen, text: string, { kind = 'P', ...putting }: Paragraph): number {
  let { y } = putting
  pen.canvas.text(kind, { actual: text }, () => {
    y = pen.put(text, putting)
  })
  return y
}

/** The table goes on over pages; a row does not, and its head stands on each. */
function drawTable(sheet: Sheet, pen: Pen): void {
  const { canvas } = pen
  const columns = placesOf(sheet.columns, pen)
  canvas.group('Table', () => {
    pen.need(60)
    canvas.group('TR', () => {
      drawHead(columns, pen, (text, draw) =>
        canvas.text('TH', { actual: text, scope: 'Column' }, draw),
      )
    })
    for (const row of sheet.rows) {
      if (pen.need(heightOf(row, columns, pen))) {
        drawHead(columns, pen, (_, draw) => canvas.ornament(draw))
      }
      drawRow(row, columns, pen)
    }
  })
}

interface PlacedColumn extends SheetColumn, Pick<Putting, 'x' | 'width'> {}

function placesOf(columns: readonly SheetColumn[], pen: Pen): readonly PlacedColumn[] {
  let from = 0
  return columns.map((column) => {
    const place = pen.stretch(from, from + column.share - 0.015)
    from += column.share
    return { ...column, ...place }
  })
}

function drawHead(
  columns: readonly PlacedColumn[],
  pen: Pen,
  cell: (text: string, draw: () => void) => void,
): void {
  const { canvas } = pen
  const top = pen.y
  let below = top
  canvas.ink(grey)
  for (const column of columns) {
    const putting = { ...pen.whole, ...column, y: top, size: sizes.small, weight: 'bold' } as const
    cell(column.label, () => {
      below = Math.max(below, pen.put(column.label, putting))
    })
  }
  pen.y = below + 2
  canvas.rule(pen.y, black)
  pen.y += 5
  canvas.ink(black)
}

const rowGap = 5

function heightOf(
  { cells, details }: SheetRow,
  columns: readonly PlacedColumn[],
  pen: Pen,
): number {
  const [first] = columns
  const heights = columns.map(
    (column, index) =>
      pen.lines(cells[index] ?? '', { ...pen.whole, ...column }).length * sizes.text * leading,
  )
  const below = details.reduce(
    (sum, each) =>
      sum + pen.lines(each, { ...pen.whole, ...first, size: sizes.small }).length * sizes.small,
    0,
  )
  return Math.max(...heights, (heights[0] ?? 0) + below * leading) + 2 * rowGap
}

function drawRow({ cells, details }: SheetRow, columns: readonly PlacedColumn[], pen: Pen): void {
  const { canvas } = pen
  const top = pen.y
  let below = top
  canvas.group('TR', () => {
    for (const [index, column] of columns.entries()) {
      const texts = index === 0 ? [cells[0] ?? '', ...details] : [cells[index] ?? '']
      canvas.text('TD', { actual: texts.join('\n') }, () => {
        let y = top
        for (const [nth, text] of texts.entries()) {
          canvas.ink(nth === 0 ? black : grey)
          const size = nth === 0 ? sizes.text : sizes.small
          y = pen.put(text, { ...pen.whole, ...column, y, size })
        }
        below = Math.max(below, y)
      })
    }
  })
  pen.y = below + rowGap
  canvas.rule(pen.y, pale)
  pen.y += rowGap
}

/** The sums stay together. */
function drawEnd(sheet: Sheet, pen: Pen): void {
  const { canvas } = pen
  const label = { ...pen.whole, ...pen.stretch(0.35, 0.74), side: 'end' } as const
  const value = { ...pen.whole, ...pen.stretch(0.75, 1 - 0.015), side: 'end' } as const
  const heights = sheet.totals.map(
    (total) => pen.lines(total.label, label).length * sizes.text * leading,
  )
  pen.need(heights.reduce((sum, height) => sum + height, 12))
  pen.y += 6
  canvas.ink(black)
  canvas.group('Table', () => {
    for (const total of sheet.totals) {
      const weight = total.isStrong ? 'bold' : 'normal'
      const { y } = pen
      canvas.group('TR', () => {
        canvas.text('TH', { actual: total.label, scope: 'Row' }, () => {
          pen.y = pen.put(total.label, { ...label, weight, y })
        })
        canvas.text('TD', { actual: total.value }, () => {
          pen.y = Math.max(pen.y, pen.put(total.value, { ...value, weight, y }))
        })
      })
    }
  })
  pen.y += 16
  for (const note of sheet.notes) {
    const height = pen.lines(note, pen.whole).length * sizes.text * leading
    pen.need(height)
    canvas.ink(black)
    pen.y = paragraph(pen, note, { ...pen.whole, y: pen.y }) + 4
  }
}
