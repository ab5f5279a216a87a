// pdfkit: tagged PDF files. This is the only import of it.
import { deflateSync } from 'node:zlib'
import PDFDocument from 'pdfkit'
import type { Sheet } from '../../../rules/commerce/invoices/sheet.ts'
import { millisecond } from '../../../std/instant.ts'
import type { Slice, Weight } from './fonts.ts'
import type { GlyphRun, Setting, TextLine } from './lines.ts'
import type { Logo } from './logo.ts'

/** A paper that is being drawn. Places and sizes are in points, from the upper left corner. */
export interface Canvas {
  /** What may be drawn on; the footer stands below. */
  readonly page: { readonly left: number; readonly right: number; readonly bottom: number }
  widthOf(run: GlyphRun, setting: Pick<Setting, 'size' | 'weight'>): number
  /** Only within a text, or an ornament. */
  line(line: TextLine, setting: Setting, at: Spot): void
  ink(color: string): void
  rule(y: number, color: string): void
  logo(logo: Logo, at: Spot): void
  addPage(): void
  /** What is drawn within belongs together, as screen readers see it. */
  group(kind: GroupKind, draw: () => void): void
  /** One text, on one page. */
  text(kind: TextKind, options: TextOptions, draw: () => void): void
  /** What is drawn within says nothing that is not said elsewhere. */
  ornament(draw: () => void): void
  /** Draws on each page, when all of them are there. */
  onEachPage(draw: (page: number, pages: number) => void): void
  finish(): Promise<Uint8Array>
}

export interface Spot {
  readonly x: number
  readonly y: number
}

type GroupKind = 'Sect' | 'Table' | 'TR'
type TextKind = 'H1' | 'H2' | 'P' | 'TD' | 'TH'

export interface TextOptions {
  /** The text in the order of its reading, where it is drawn in another. */
  readonly actual?: string
  readonly scope?: 'Column' | 'Row'
}

/** A font as a paper has it: what it needs of a piece at one weight. */
export interface Face {
  readonly slice: Slice
  readonly weight: Weight
  readonly font: Uint8Array
}

/** Its edges: an inch is 72 points. */
const margin = 50
const footer = 24

/** Nothing of it depends on when or where it is drawn: one sheet becomes the same bytes. */
export function openCanvas(sheet: Sheet, faces: readonly Face[]): Canvas {
  const doc = newDocument(sheet)
  for (const { slice, weight, font } of faces) {
    doc.registerFont(nameOf(slice, weight), Buffer.from(font))
  }
  const root = doc.struct('Document')
  doc.addStructure(root)
  const around = [root]
  let pages = 0
  addPage()
  const { height, width } = doc.page
  const page = { left: margin, right: width - margin, bottom: height - margin - footer }

  return {
    page,
    widthOf,
    line,
    ink: (color) => doc.fillColor(color),
    rule,
    logo,
    addPage,
    group,
    text,
    ornament,
    onEachPage,
    finish,
  }

  function addPage(): void {
    doc.addPage()
    pages += 1
  }

  function use(
    { slice }: GlyphRun,
    { size, weight }: Pick<Setting, 'size' | 'weight'>,
  ): typeof doc {
    return doc.font(nameOf(slice, weight)).fontSize(size)
  }

  function widthOf(run: GlyphRun, setting: Pick<Setting, 'size' | 'weight'>): number {
    return use(run, setting).widthOfString(run.text, asOne)
  }

  function line({ runs }: TextLine, setting: Setting, { x, y }: Spot): void {
    let left = x
    for (const run of runs) {
      const options = { ...asOne, baseline: 'alphabetic', lineBreak: false } as const
      use(run, setting).text(run.text, left, y + setting.size, options)
      left += widthOf(run, setting)
    }
  }

  function rule(y: number, color: string): void {
    ornament(() => {
      doc.lineWidth(0.5).strokeColor(color).moveTo(page.left, y).lineTo(page.right, y).stroke()
    })
  }

  /** The name stands beside it, so it says nothing to those who do not see it. */
  function logo({ height, picture, width }: Logo, { x, y }: Spot): void {
    ornament(() => {
      if ('jpeg' in picture) {
        const size = { width, height, ignoreOrientation: true }
        doc.image(Buffer.from(picture.jpeg), x, y, size)
        return
      }
      const dots = doc.ref({
        Type: 'XObject',
        Subtype: 'Image',
        Width: picture.width,
        Height: picture.height,
        BitsPerComponent: 8,
        ColorSpace: 'DeviceRGB',
        Filter: 'FlateDecode',
      })
      dots.end(deflateSync(picture.rgb))
      Object.assign(doc.page.xobjects, { Logo: dots })
      // Images begin at their lower left corner, and stand upside down here, as the page does.
      const matrix = [width, 0, 0, -height, x, y + height].map((each) => each.toFixed(3))
      doc.save()
      doc.addContent(`${matrix.join(' ')} cm /Logo Do`)
      doc.restore()
    })
  }

  function group(kind: GroupKind, draw: () => void): void {
    const part = doc.struct(kind)
    around.at(-1)?.add(part)
    around.push(part)
    draw()
    around.pop()
    part.end()
  }

  function text(kind: TextKind, options: TextOptions, draw: () => void): void {
    const part = doc.struct(kind, options)
    around.at(-1)?.add(part)
    part.add(draw)
    part.end()
  }

  function ornament(draw: () => void): void {
    doc.markContent('Artifact', { type: 'Layout' })
    draw()
    doc.endMarkedContent()
  }

  function onEachPage(draw: (page: number, pages: number) => void): void {
    for (let number = 1; number <= pages; number += 1) {
      doc.switchToPage(number - 1)
      draw(number, pages)
    }
  }

  function finish(): Promise<Uint8Array> {
    root.end()
    return new Promise((resolve, reject) => {
      const chunks: Uint8Array[] = []
      doc.on('data', (chunk: Uint8Array) => chunks.push(chunk))
      doc.on('end', () => resolve(new Uint8Array(Buffer.concat(chunks))))
      doc.on('error', reject)
      doc.end()
    })
  }
}

function newDocument(sheet: Sheet): typeof PDFDocument.prototype {
  const at = new Date(sheet.issuedAt / millisecond)
  const options: PDFKit.PDFDocumentOptions = {
    size: 'A4',
    // The text is placed line by line: a margin below would begin pages of its own.
    margins: { top: margin, left: margin, right: margin, bottom: 0 },
    pdfVersion: '1.7',
    tagged: true,
    lang: sheet.language,
    displayTitle: true,
    bufferPages: true,
    autoFirstPage: false,
    // None but those that are embedded.
    font: '',
    info: {
      Title: sheet.title,
      Author: sheet.author,
      Creator: 'Sluice',
      Producer: 'Sluice',
      CreationDate: at,
      ModDate: at,
    },
  }
  // The types do not know this standard yet.
  return new PDFDocument(Object.assign(options, { subset: 'PDF/UA' }))
}

/** A run is shaped as a whole: its words may go from right to left. */
const asOne = { features: [] }

const nameOf = (slice: Slice, weight: Weight): string => `${slice.id}-${weight}`
