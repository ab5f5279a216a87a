import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { limits } from '../../../../src/limits.ts'
import { formatInstant, instantOf } from '../../../../src/std/instant.ts'
import { noon } from '../../../support/edge/test-server.ts'
import { runs } from '../../../support/run/runs.ts'
import { bodyOf, freshId, isTaken, withMetadata } from './both-paths.ts'

describe('a scanned body', () => {
  it('takes numbers only as JSON.stringify writes them', async () => {
    const digits = fc.stringMatching(/^-?[0-9]{1,18}(\.[0-9]{0,18})?([eE][+-]?[0-9]{1,3})?$/)
    const small = fc.stringMatching(/^-?0\.0{0,8}[0-9]{0,4}$/)
    const number = fc.oneof(digits, small, fc.double().map(String), fc.integer().map(String))
    await fc.assert(
      fc.asyncProperty(number, async (text) => {
        await isTaken(withMetadata(`{"a":${text}}`))
      }),
      runs(3_000),
    )
    for (const usual of [
      '0',
      '7',
      '-7',
      '0.5',
      '-0.25',
      '1.000001',
      '0.000001',
      '123456789012345',
    ]) {
      expect(await isTaken(withMetadata(`{"a":${usual}}`)), usual).toBe(true)
    }
    const unusual = [
      '-0',
      '01',
      '1.',
      '1.0',
      '.5',
      '1e3',
      '0.0000001',
      '9007199254740993',
      '1E400',
      '-',
    ]
    for (const one of unusual) expect(await isTaken(withMetadata(`{"a":${one}}`)), one).toBe(false)
  })

  it('takes the largest body behind a small one, and a small one behind it', async () => {
    const small = withMetadata('{"a":1}')
    const value = 'v'.repeat(limits.metadataValueMax)
    const values = Array.from({ length: 7 }, (_, key) => `"k${key}":"${value}"`).join(',')
    const events = Array.from(
      { length: limits.eventsPerRequestMax },
      (_, at) => `{"event_id":"e${at}","customer_id":"c","event_name":"n","metadata":{${values}}}`,
    )
    expect(await isTaken(small)).toBe(true)
    expect(await isTaken(bodyOf(...events))).toBe(true)
    expect(await isTaken(bodyOf(...events, events[0] ?? ''))).toBe(false)
    expect(await isTaken(small)).toBe(true)
  })

  it('takes keys only where they stay in their places', async () => {
    for (const usual of ['{}', '{"a":1,"b":2}', '{"":1,"A":2}', '{ "a" : "b\\n\\"" }', 'null']) {
      expect(await isTaken(withMetadata(usual)), usual).toBe(true)
    }
    const nested = ['{"a":{}}', '{"a":[]}', '[]', '"a"', '1']
    for (const one of [...nested, '{"1":1}', '{"b":1,"0":2}', '{"a":1,"a":2}', '{"\\u0061":1}']) {
      expect(await isTaken(withMetadata(one)), one).toBe(false)
    }
    const key = fc.oneof(fc.stringMatching(/^[0-9a-c]{1,3}$/), fc.constantFrom('__proto__', ''))
    const members = fc.array(fc.tuple(key, fc.integer()), { maxLength: 60 })
    await fc.assert(
      fc.asyncProperty(members, async (all) => {
        const written = all.map(([name, number]) => `${JSON.stringify(name)}:${number}`)
        await isTaken(withMetadata(`{${written.join(',')}}`))
      }),
    )
  })

  it('takes each field once, and none that it does not know', async () => {
    const fields = {
      event_id: `"${freshId}"`,
      customer_id: '"c"',
      event_name: '"n"',
      timestamp: 'null',
      metadata: 'null',
    }
    const names = Object.keys(fields) as (keyof typeof fields)[]
    const written = (some: readonly string[]) => `{${some.join(',')}}`
    const field = (name: keyof typeof fields) => `"${name}":${fields[name]}`
    expect(await isTaken(bodyOf(written(names.toReversed().map(field))))).toBe(true)
    for (const name of names) {
      const others = names.filter((one) => one !== name).map(field)
      const isOptional = name === 'timestamp' || name === 'metadata'
      expect(await isTaken(bodyOf(written(others))), `without ${name}`).toBe(isOptional)
      const twice = written([field(name), ...names.map(field)])
      expect(await isTaken(bodyOf(twice)), `${name} twice`).toBe(false)
    }
    expect(await isTaken(bodyOf(written([...names.map(field), '"x":1'])))).toBe(false)
  })

  it('takes the escapes that JSON.stringify writes, in values alone', async () => {
    for (const letter of '"\\/bfnrtux0') {
      const usual = '"\\bfnrt'.includes(letter)
      const escaped = `{"a":"b\\${letter}0041 {\\"} "}`
      expect(await isTaken(withMetadata(escaped)), letter).toBe(usual)
      expect(await isTaken(withMetadata(`{ "a" : "\\${letter}" }`)), letter).toBe(usual)
      expect(await isTaken(withMetadata(`{"b\\${letter}":1}`)), letter).toBe(false)
    }
  })

  it('takes texts up to their bounds, in bytes', async () => {
    const lengths = [
      ['event_id', 255],
      ['key', 100],
      ['value', 500],
    ] as const
    for (const [where, max] of lengths) {
      for (const [letter, length] of [
        ['a', max],
        ['a', max + 1],
        ['é', max / 2],
        ['é', max],
      ] as const) {
        const text = letter.repeat(length)
        const body =
          where === 'event_id'
            ? bodyOf(`{"event_id":"${text}","customer_id":"c","event_name":"n"}`)
            : withMetadata(where === 'key' ? `{"${text}":1}` : `{"a":"${text}"}`)
        const fits = Buffer.byteLength(text) <= max
        expect(await isTaken(body), `${where} ${letter} ${length}`).toBe(fits)
      }
    }
    const many = (count: number) =>
      `{${Array.from({ length: count }, (_, at) => `"k${at}":${at}`).join(',')}}`
    expect(await isTaken(withMetadata(many(50)))).toBe(true)
    expect(await isTaken(withMetadata(many(51)))).toBe(false)
  })

  it('takes times only within the window of every key', async () => {
    const stamped = (timestamp: string) =>
      bodyOf(
        `{"event_id":"${freshId}","customer_id":"c","event_name":"n","timestamp":${timestamp}}`,
      )
    const ends = [noon - limits.eventAgeMax, noon + limits.eventLeadMax] as const
    for (const [at, fits] of [
      [ends[0], true],
      [ends[0] - 1, false],
      [ends[1], true],
      [ends[1] + 1, false],
    ] as const) {
      expect(await isTaken(stamped(`"${formatInstant(instantOf(at))}"`))).toBe(fits)
    }
    const form = fc.stringMatching(
      /^2026-11-21[Tt ]1[12]:[0-6][0-9]:[0-6][0-9](\.[0-9]{0,8})?([Zz]|[+-]0[0-9]:[0-9]0)?$/,
    )
    await fc.assert(
      fc.asyncProperty(form, async (text) => {
        await isTaken(stamped(JSON.stringify(text)))
      }),
      runs(2_000),
    )
  })

  it('leaves to the parser who is unknown, what is repeated, and too many events', async () => {
    const event = (id: string, customer = 'c') =>
      `{"event_id":"${id}","customer_id":"${customer}","event_name":"n"}`
    const ids = (count: number) => Array.from({ length: count }, (_, at) => `e${at}`)
    expect(await isTaken(bodyOf(event('p'), event(freshId ?? '', 'x1'), event('z')))).toBe(false)
    expect(await isTaken(bodyOf(event('p'), event('q'), event('p')))).toBe(false)
    expect(await isTaken(bodyOf(...ids(1_000).map((id) => event(id))))).toBe(true)
    expect(await isTaken(bodyOf(...ids(1_001).map((id) => event(id))))).toBe(false)
    expect(await isTaken(bodyOf())).toBe(false)
    // So many bytes that a partition gets several pieces.
    const long = ids(1_000).map(
      (id) =>
        `{"event_id":"${id}","customer_id":"c","event_name":"n","metadata":{"a":"${'a'.repeat(500)}"}}`,
    )
    expect(await isTaken(bodyOf(...long))).toBe(true)
  })
})
