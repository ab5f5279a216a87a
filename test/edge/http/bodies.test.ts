import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { byteBudget } from '../../../src/edge/http/budget.ts'
import { limits } from '../../../src/limits.ts'
import { requestText } from '../../support/edge/talk.ts'
import { testServer } from '../../support/edge/test-server.ts'
import { bodyBytesMax, engines, json, routes, suite, write } from './setup.ts'

describe.each(engines)('bodies on $kind', (engine) => {
  const on = suite(engine)

  it('takes JSON in UTF-8, whole or in chunks, with or without a type', async () => {
    expect(await (await on.post('{"a":"ä"}')).json()).toEqual({ got: { a: 'ä' } })
    const charset = { 'Content-Type': 'application/json; charset="UTF-8"; x=y' }
    expect((await on.post('{}', charset)).status).toBe(201)
    const one = on.raw()
    one.send(requestText('POST', '/things', { headers: write, body: '[1]' }))
    expect((await one.answer()).status).toBe(201)
    const chunked = { ...write, 'Transfer-Encoding': 'chunked' }
    one.send(
      `${requestText('POST', '/things', { headers: chunked })}2\r\n[1\r\n3\r\n,2]\r\n0\r\n\r\n`,
    )
    expect((await one.answer()).json()).toEqual({ got: [1, 2] })
  })

  it('takes gzip', async () => {
    const body = gzipSync('{"zipped":true}')
    const answer = await on.post(body, { 'Content-Encoding': 'gzip' })
    expect(await answer.json()).toEqual({ got: { zipped: true } })
  })

  it.each([
    ['empty', '', {}],
    ['not JSON', '{"a":', {}],
    ['not UTF-8', Buffer.from([0x22, 0xff, 0x22]), {}],
    ['an overlong UTF-8 form', Buffer.from([0x22, 0xc0, 0x80, 0x22]), {}],
    ['truncated gzip', gzipSync('{"a":1}').subarray(0, 12), { 'Content-Encoding': 'gzip' }],
    ['not gzip', '{}', { 'Content-Encoding': 'gzip' }],
  ])('refuses a body that is %s with 400', async (_, body, headers) => {
    const answer = await on.post(body, headers)
    expect(answer.status).toBe(400)
    expect(await answer.json()).toMatchObject({ code: 'INVALID_REQUEST_BODY' })
  })

  it.each([
    ['another type', { 'Content-Type': 'application/xml' }],
    ['another charset', { 'Content-Type': 'application/json; charset=latin1' }],
    ['another coding', { 'Content-Encoding': 'br' }],
    ['two codings', { 'Content-Encoding': 'gzip, gzip' }],
  ])('refuses %s with 415', async (_, headers) => {
    const answer = await on.post('{}', headers)
    expect(answer.status).toBe(415)
    expect(await answer.json()).toMatchObject({ code: 'UNSUPPORTED_MEDIA_TYPE' })
  })

  it('refuses texts that the store cannot hold with 422', async () => {
    for (const text of ['"\\u0000"', '{"\\ud800":1}', '[["\\udc00x"]]']) {
      expect((await on.post(text)).status).toBe(422)
    }
    expect((await on.post('"\\\\u0000 \\ud83d\\ude00"')).status).toBe(201)
  })

  it('refuses a larger body with 413 and hangs up, announced or not', async () => {
    const announced = on.raw()
    const headers = { ...write, 'Content-Length': String(bodyBytesMax + 1) }
    announced.send(requestText('POST', '/things', { headers }))
    const answer = await announced.answer()
    expect(answer.status).toBe(413)
    expect(answer.json()).toMatchObject({ code: 'REQUEST_TOO_LARGE' })
    await announced.closed()

    const chunked = on.raw()
    chunked.send(
      requestText('POST', '/things', { headers: { ...write, 'Transfer-Encoding': 'chunked' } }),
    )
    const chunk = `4000\r\n${'x'.repeat(0x4000)}\r\n`
    for (let sent = 0; sent <= bodyBytesMax; sent += 0x4000) chunked.send(chunk)
    expect((await chunked.answer()).status).toBe(413)
    await chunked.closed()
  })

  it('tells a client that is still writing why it was refused', async () => {
    const body = new Uint8Array(4 * 1024 * 1024)
    for (let time = 0; time < 5; time += 1) expect((await on.post(body)).status).toBe(413)
  })

  it('refuses a gzip bomb with 413', async () => {
    const bomb = gzipSync(Buffer.alloc(30 * 1024 * 1024))
    expect(bomb.length).toBeLessThan(bodyBytesMax)
    expect((await on.post(bomb, { 'Content-Encoding': 'gzip' })).status).toBe(413)
  })

  it('reads no form that is larger, or has more fields, than those of pages', async () => {
    const send = async (body: string): Promise<number> => {
      const headers = { 'Content-Type': 'application/x-www-form-urlencoded' }
      return (await fetch(`${on.at.url}/pages/form`, { method: 'POST', headers, body })).status
    }
    const { formBytesMax, formFieldsMax } = limits
    expect(await send(`a=${'x'.repeat(formBytesMax - 2)}`)).toBe(200)
    expect(await send(`a=${'x'.repeat(formBytesMax - 1)}`)).toBe(413)
    expect(await send('a=1&'.repeat(formFieldsMax - 1))).toBe(200)
    expect(await send('a=1&'.repeat(formFieldsMax))).toBe(422)
  })

  it('takes a body of exactly the bound', async () => {
    expect((await on.post(`"${'x'.repeat(bodyBytesMax - 2)}"`)).status).toBe(201)
  })

  it('gives up on a body that stalls with 408', async () => {
    const one = on.raw()
    one.send(requestText('POST', '/things', { headers: { ...write, 'Content-Length': '10' } }))
    one.send('{"a"')
    const answer = await one.answer()
    expect(answer.status).toBe(408)
    expect(answer.headers.has('x-should-retry')).toBe(false)
    await one.closed()
  })

  it('takes no harm from a client that leaves amid its body', async () => {
    const open = on.at.options.budget.used
    const one = on.raw()
    one.send(requestText('POST', '/things', { headers: { ...write, 'Content-Length': '10' } }))
    one.send('{"a"')
    one.destroy()
    while (on.at.server.open > 0) await new Promise((resolve) => setImmediate(resolve))
    expect(on.at.options.budget.used).toBe(open)
  })

  it('takes small chunks, and hangs up on crumbs before they cost anybody', async () => {
    const headers = { ...write, 'Transfer-Encoding': 'chunked' }
    const crumbs = (count: number) => `1\r\n"\r\n${'1\r\nx\r\n'.repeat(count)}1\r\n"\r\n0\r\n\r\n`
    const few = on.raw()
    few.send(requestText('POST', '/things', { headers }) + crumbs(limits.bodyPiecesMin - 2))
    expect((await few.answer()).json()).toEqual({ got: 'x'.repeat(limits.bodyPiecesMin - 2) })
    for (const path of ['/things', '/nowhere']) {
      const many = on.raw()
      many.send(requestText('POST', path, { headers }) + crumbs(bodyBytesMax - 2))
      expect(await many.closed()).not.toContain(' 201 ')
    }
    while (on.at.server.open > 0) await new Promise((resolve) => setImmediate(resolve))
    expect(on.at.options.budget.used).toBe(0)
  })

  it('counts what it holds, with the room to grow, and no more than is announced', async () => {
    const { budget } = on.at.options
    const one = on.raw()
    const before = budget.used
    const headers = { ...write, 'Content-Length': String(bodyBytesMax) }
    one.send(requestText('POST', '/things', { headers }))
    one.send(`"${'x'.repeat(9_000)}`)
    // It is given up for stalling in a moment.
    let most = 0
    while (most < 9_001) {
      await new Promise((resolve) => setImmediate(resolve))
      most = Math.max(most, budget.used - before)
    }
    expect(most).toBeLessThan(2 * 9_001)
    one.destroy()
    await expect.poll(() => budget.used).toBe(before)
  })

  it('ignores a body where none is read', async () => {
    const one = on.raw()
    one.send(requestText('GET', '/open', { body: '{"a":1}' }))
    expect((await one.answer()).status).toBe(200)
    one.send(requestText('DELETE', '/things/a', { headers: write, body: 'x'.repeat(1_000) }))
    expect((await one.answer()).status).toBe(204)
    one.send(requestText('POST', '/nowhere', { body: '{"a":1}' }))
    expect((await one.answer()).status).toBe(404)
  })

  it('refuses with 503 what does not fit the bytes in flight, and takes it again later', async () => {
    const small = await testServer(engine, routes, { budget: byteBudget(100) })
    const send = (size: number) =>
      fetch(`${small.url}/things`, {
        method: 'POST',
        headers: json,
        body: `"${'x'.repeat(size)}"`,
      })
    const refused = await send(200)
    expect(refused.status).toBe(503)
    expect(refused.headers.get('retry-after')).toBe('1')
    expect(await refused.json()).toMatchObject({ code: 'UNAVAILABLE' })
    expect((await send(50)).status).toBe(201)
    expect(small.options.budget.used).toBe(0)
    await small.server.stop(1_000)
  })
})
