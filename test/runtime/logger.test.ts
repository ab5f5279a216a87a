import { describe, expect, it } from 'vitest'
import type { Logger } from '../../src/runtime/logger.ts'
import { openLogger } from '../../src/runtime/logger.ts'

function recording(level = 'info'): { logger: Logger; lines: () => Record<string, unknown>[] } {
  const written: string[] = []
  const write = (line: string) => void written.push(line)
  const logger = openLogger({ level, part: 'test', write })
  return { logger, lines: () => written.map((line) => JSON.parse(line) as Record<string, unknown>) }
}

describe('the logger', () => {
  it('writes a line of JSON for each message at its level or above', () => {
    const { logger, lines } = recording('warn')
    logger.info({}, 'not this')
    logger.child({ request: 'req_1' }).warn({ count: 2 }, 'but this')
    const said = { level: 'warn', part: 'test', request: 'req_1', count: 2, msg: 'but this' }
    expect(lines()).toMatchObject([said])
  })

  it('hides what goes by the name of a secret', () => {
    const { logger, lines } = recording()
    const headers = { authorization: 'Bearer slc_test_rw_abc' }
    logger.info({ headers, request: { headers }, api_key: 'slc_test_rw_abc', secret: 'x' }, 'came')
    expect(JSON.stringify(lines())).not.toContain('slc_test')
    expect(lines()[0]).toMatchObject({ api_key: '[redacted]', secret: '[redacted]' })
  })

  it.each(['error', 'err'])(
    'tells of an %s and its cause, not of the rows that it carries',
    (as) => {
      const { logger, lines } = recording()
      const row = { code: '23505', detail: 'a@example.com' }
      const cause = Object.assign(new Error('duplicate'), row)
      const failure = Object.assign(new Error('not saved', { cause }), row)
      logger.error({ [as]: failure }, 'failed')
      expect(lines()[0]?.[as]).toMatchObject({
        message: 'not saved',
        cause: { message: 'duplicate', code: '23505' },
      })
      expect(JSON.stringify(lines())).not.toContain('a@example.com')
    },
  )
})
