import type { ChildProcess } from 'node:child_process'
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'

/** Starts a built program of this folder, since a thread or a plain node cannot load TypeScript. */
export function startChild(
  program: string,
  args: readonly string[],
  fileBlocksMax: number | null = null,
): ChildProcess {
  const path = new URL(`../../../dist/test/support/${program}.js`, import.meta.url).pathname
  if (!existsSync(path))
    throw new Error(`${path} is not there: run npx tsc -p tsconfig.json first.`)
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
