import { execFileSync } from 'node:child_process'
import { mkdirSync } from 'node:fs'

/**
 * Copies a folder and what is in it, each with its mode: PostgreSQL starts on no folder that others
 * may enter. Since Node 22 `cpSync` makes folders as the umask has them.
 */
export function copyFolder(from: string, to: string): void {
  mkdirSync(to, { recursive: true })
  execFileSync('cp', ['-a', `${from}/.`, to])
}
