import { execFile } from 'node:child_process'
import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'
import { promisify } from 'node:util'

/** The path of the program `name`; null where PATH does not have it. */
export function onPath(name: string): string | null {
  const folders = (process.env['PATH'] ?? '').split(delimiter).filter((folder) => folder !== '')
  return folders.map((folder) => join(folder, name)).find(isProgram) ?? null
}

/** Whether `path` is a file that this user may run. */
export function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}

const execute = promisify(execFile)

/** Runs a program to its end, and answers what it printed. Throws where it fails. */
export async function run(
  command: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<string> {
  const [program = '', ...args] = command
  const { stdout } = await execute(program, args, {
    env: { PATH: process.env['PATH'] ?? '', LC_ALL: 'C.UTF-8', ...env },
    cwd: '/',
    maxBuffer: 64 * 1024 * 1024,
  })
  return stdout
}
