import { createHash } from 'node:crypto'
import type { Api, Json } from '../api.ts'
import type { Difference } from '../differences.ts'
import { difference } from '../differences.ts'

/** A paper as somebody has it: its number, and a digest of the file. */
export interface HeldPaper {
  readonly number: string
  readonly digest: string
}

/** Their own limit, 30 in a minute, leaves room for these and for the audit. */
const papersMax = 12

/** Asks for a paper while the server is being killed; what is answered must stay as it is. */
export async function keepsPaper(
  api: Pick<Api, 'file'>,
  papers: Map<string, HeldPaper>,
  path: string,
): Promise<void> {
  if (papers.size >= papersMax) return
  const answer = await api.file(path).catch(() => null)
  if (answer?.status === 200) papers.set(path, heldOf(answer))
}

/** Whether every paper that somebody has is still the same, with the same number. */
export async function changedPapers(
  api: Pick<Api, 'file'>,
  papers: ReadonlyMap<string, HeldPaper>,
): Promise<readonly Difference[]> {
  const found: Difference[] = []
  for (const [path, held] of papers) {
    const is = heldOf(await api.file(path, 120_000))
    if (is.number !== held.number)
      found.push(difference(`number of ${path}`, held.number, is.number))
    if (is.digest !== held.digest) found.push(difference(`file of ${path}`, held.digest, is.digest))
  }
  return found
}

/** The numbers of payments that were paid are 1, 2 and so on, without a gap and none twice. */
export function gapsIn(paid: readonly Json[]): readonly Difference[] {
  const numbers = paid.map(({ invoice_id }) => String(invoice_id)).toSorted()
  const found = numbers.findIndex((number, index) => number !== numbered(index + 1))
  if (found === -1) return []
  return [difference('the next invoice number', numbered(found + 1), numbers[found] ?? 'none')]
}

const numbered = (number: number): string => `INV-${String(number).padStart(6, '0')}`

const heldOf = ({ bytes, name }: { readonly bytes: Uint8Array; readonly name: string }) => ({
  number: name,
  digest: createHash('sha256').update(bytes).digest('hex'),
})
