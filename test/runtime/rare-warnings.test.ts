import { expect, it } from 'vitest'
import type { Logger } from '../../src/runtime/logger.ts'
import { nowAndThen } from '../../src/runtime/rare-warnings.ts'

it('warns of each sentence once in a while, and whispers the rest', () => {
  const lines: string[] = []
  const note = (level: string) => (_: object, message: string) => lines.push(`${level} ${message}`)
  const tell = nowAndThen({ warn: note('warn'), debug: note('debug') } as unknown as Logger)
  for (const sentence of ['a', 'a', 'b', 'a']) tell({}, sentence)
  expect(lines).toEqual(['warn a', 'debug a', 'warn b', 'debug a'])
})
