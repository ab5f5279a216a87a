import { readFile } from 'node:fs/promises'

/** A file of text, which is UTF-8; what is no character of it is refused, never replaced. */
export async function readText(path: string): Promise<string> {
  const bytes = await readFile(path)
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw new Error(`${path} is not UTF-8: save it so, then import it again.`)
  }
}
