import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Whether poppler's tools and qpdf are here: suites say by name what they cannot look at. */
export const canReadPdf = ['pdftotext', 'pdfinfo', 'pdftoppm', 'qpdf'].every(
  (tool) => spawnSync(tool, ['--version']).error === undefined,
)

/** The text of a PDF, line by line as it is read. */
export const textOf = (pdf: Uint8Array): string =>
  run('pdftotext', ['-enc', 'UTF-8', '-', '-'], pdf)

/** What the file says of itself, and how many pages it has. */
export const infoOf = (pdf: Uint8Array): string => run('pdfinfo', ['-'], pdf)

/** The colors of the first page, a dot a point from the upper left corner: red, green and blue. */
export function dotsOf(pdf: Uint8Array): (x: number, y: number) => string {
  const words = ['-r', '72', '-f', '1', '-l', '1', '-']
  const { stdout } = spawnSync('pdftoppm', words, { input: pdf, maxBuffer: 2 ** 26 })
  const [head = '', width = '0'] =
    /^P6\s(\d+)\s\d+\s255\s/.exec(stdout.toString('latin1', 0, 40)) ?? []
  return (x, y) => {
    const from = head.length + (y * Number(width) + x) * 3
    return [...stdout.subarray(from, from + 3)].join(' ')
  }
}

/** By qpdf: its syntax, its streams and its cross references. */
export function isWellFormed(pdf: Uint8Array): boolean {
  // It reads files alone.
  const folder = mkdtempSync(join(tmpdir(), 'sluice-pdf-'))
  try {
    const path = join(folder, 'paper.pdf')
    writeFileSync(path, pdf)
    return run('qpdf', ['--check', path], '').includes('No syntax or stream encoding errors found')
  } finally {
    rmSync(folder, { recursive: true })
  }
}

function run(tool: string, words: readonly string[], input: Uint8Array | string): string {
  const { status, stderr, stdout } = spawnSync(tool, words, { input, maxBuffer: 2 ** 26 })
  if (status !== 0) throw new Error(`${tool}: ${stderr.toString()}`)
  return stdout.toString()
}
