import { isIP } from 'node:net'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { contains, parseAddress, parseNetwork } from '../../src/std/address.ts'
import { runs } from '../support/run/runs.ts'

const network = (text: string) => {
  const parsed = parseNetwork(text)
  if (parsed === null) throw new Error(text)
  return parsed
}
const address = (text: string) => {
  const parsed = parseAddress(text)
  if (parsed === null) throw new Error(text)
  return parsed
}

describe('addresses', () => {
  it('reads every IPv4 and IPv6 address that the platform takes for one', () => {
    fc.assert(
      fc.property(fc.oneof(fc.ipV4(), fc.ipV6()), (text) => {
        expect(parseAddress(text) !== null).toBe(isIP(text) !== 0)
      }),
    )
  })

  it('reads nothing else', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[0-9a-f:.%]{0,20}$/), (text) => {
        if (parseAddress(text) !== null) expect(isIP(text)).not.toBe(0)
      }),
      runs(2_000),
    )
    for (const text of [
      '',
      '1.2.3',
      '1.2.3.256',
      '01.2.3.4',
      '1::2::3',
      ':::',
      '1:2',
      '::1.2.3.4.5',
    ]) {
      expect(parseAddress(text)).toBeNull()
    }
  })

  it('gives an IPv4 address and its mapped forms one value', () => {
    for (const text of ['::ffff:10.1.2.3', '::ffff:a01:203', '0:0:0:0:0:FFFF:10.1.2.3']) {
      expect(parseAddress(text)).toBe(parseAddress('10.1.2.3'))
    }
  })

  it.each([
    ['10.0.0.0/8', '10.255.1.1', true],
    ['10.0.0.0/8', '11.0.0.0', false],
    ['10.0.0.0/8', '::ffff:10.0.0.1', true],
    ['192.168.1.7', '192.168.1.7', true],
    ['192.168.1.7', '192.168.1.8', false],
    ['fc00::/7', 'fdff::1', true],
    ['fc00::/7', 'fe00::1', false],
    ['0.0.0.0/0', '8.8.8.8', true],
    ['0.0.0.0/0', '2001:4860::8888', false],
    ['::/0', '8.8.8.8', true],
  ])('%s holds %s: %s', (net, one, held) => {
    expect(contains(network(net), address(one))).toBe(held)
  })

  it('refuses networks that are none', () => {
    for (const text of [
      '10.0.0.0/33',
      '::/129',
      '10.0.0.0/',
      '10.0.0.0/8/8',
      'example.com',
      '/8',
    ]) {
      expect(parseNetwork(text)).toBeNull()
    }
  })
})
