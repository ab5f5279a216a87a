import { createConfig, lintFromString } from '@redocly/openapi-core'
import { Validator } from '@seriousme/openapi-schema-validator'
import { describe, expect, it } from 'vitest'
import { descriptionRoute } from '../support/pages/description.ts'

type Described = Record<string, unknown> & {
  readonly paths: Record<string, Record<string, object>>
}

const description = async (): Promise<Described> => {
  const { raw } = await descriptionRoute.handler({ header: () => null } as never)
  return JSON.parse(String(raw)) as Described
}

/** Compiles the description of descriptions once. */
const validator = new Validator()

/** What the linter's recommended rules find, warnings included. */
async function lint(api: Described): Promise<readonly string[]> {
  const config = await createConfig({ extends: ['recommended'] })
  const source = JSON.stringify(api)
  const found = await lintFromString({ source, absoluteRef: 'openapi.json', config })
  return found.map(({ ruleId, message, location: [at] }) => `${ruleId} ${at?.pointer}: ${message}`)
}

describe('to the tools of others, the description of the API', () => {
  it('is valid OpenAPI 3.1', async () => {
    const { valid, errors } = await validator.validate(await description())
    expect([valid, errors]).toEqual([true, undefined])
    expect(validator.version).toBe('3.1')
  })

  it('breaks no recommended rule of the linter', async () => {
    // Both paths are the contract's; a literal segment wins, and no discount has the id `code`.
    const twofold = expect.stringMatching(/^no-ambiguous-paths .*`\/discounts\/code\/\{code\}`/)
    expect(await lint(await description())).toEqual([twofold])
  })

  it('would be told what is wrong', async () => {
    const whole = await description()
    const names = ['/meters', '/customers/{customer_id}']
    const paths = Object.fromEntries(names.map((name) => [name, whole.paths[name] ?? {}]))
    const api: Described = { ...whole, paths }
    const [meters, customer] = [api.paths['/meters'], api.paths['/customers/{customer_id}']]
    Object.assign(meters?.['get'] ?? {}, { operationId: 'createMeter' })
    Object.assign(customer?.['get'] ?? {}, { parameters: [] })
    const rules = (await lint(api)).map((problem) => problem.split(' ')[0])
    expect(rules).toContain('operation-operationId-unique')
    expect(rules).toContain('path-parameters-defined')
    Object.assign(meters?.['get'] ?? {}, { responses: 3 })
    expect(await validator.validate(api)).toMatchObject({ valid: false })
  })
})
