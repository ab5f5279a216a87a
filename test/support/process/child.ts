import type { ChildProcess } from 'node:child_process'
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../run/root.ts'

/** The path of a program of `test/support` as the build has made it: Node loads no TypeScript. */
export function builtProgram(program: string): string {
  const path = join(root, `dist/test/support/${program}.js`)
  if (!existsSync(path))
    throw new Error(`${path} is not there: run npx tsc -p tsconfig.json first.`)
  return path
}

/** Starts a built program. */
export function startChild(
  program: string,
  args: readonly string[],
  fileBlocksMax: number | null = null,
): ChildProcess {
  const path = builtProgram(program)
  const stdio = ['ignore', 'pipe', 'ignore'] as const
  if (fileBlocksMax === null) return spawn(process.execPath, [path, ...args], { stdio: [...stdio] })
  const limited = `ulimit -f ${fileBlocksMax}; exec "$@"`
  return spawn('sh', ['-c', limited, 'sh', process.execPath, path, ...args], { stdio: [...stdio] })
}

/**
 * All lines that the child says until it ends. With `killAfterMs` it is killed with -9 so long
 * after its first word.
 */
export async function linesOf(child: ChildProcess, killAfterMs: number | null): Promise<string[]> {
  let said = ''
  let timer: NodeJS.Timeout | null = null
  child.stdout?.setEncoding('utf8')
  child.stdout?.on('data', (text: string) => {
    said += text
    if (killAfterMs !== null) timer ??= setTimeout(() => child.kill('SIGKILL'), killAfterMs)
  })
  await new Promise((resolve) => child.once('close', resolve))
  if (timer !== null) clearTimeout(timer)
  // The kill may have cut the last line in two: without it.
  return said.split('\n').slice(0, -1)
}
