import { describe, expect, it } from 'vitest'
import { clientAddress } from '../../../src/edge/http/client-address.ts'
import { parseAddress } from '../../../src/std/address.ts'

const behind = clientAddress(['10.0.0.0/8', '2001:db8:1::/48'])
const named = (text: string) => parseAddress(text)?.toString(16)

describe('the address of a client', () => {
  it('is the socket’s where nobody is trusted, whatever a header says', () => {
    const direct = clientAddress([])
    expect(direct('203.0.113.7', '198.51.100.1')).toBe(named('203.0.113.7'))
    expect(behind('203.0.113.7', '198.51.100.1')).toBe(named('203.0.113.7'))
  })

  it('is whom the trusted proxies heard from, read from the end', () => {
    expect(behind('10.0.0.1', '203.0.113.7')).toBe(named('203.0.113.7'))
    expect(behind('10.0.0.1', '203.0.113.7, 10.2.3.4')).toBe(named('203.0.113.7'))
    expect(behind('2001:db8:1::9', '203.0.113.7,10.2.3.4')).toBe(named('203.0.113.7'))
  })

  it('never believes what a stranger says of itself', () => {
    const forged = '10.9.9.9, 198.51.100.1, 203.0.113.7'
    expect(behind('10.0.0.1', forged)).toBe(named('203.0.113.7'))
  })

  it('stays with whom it knows where the next one is no address', () => {
    for (const text of ['', 'unknown', '_hidden', '203.0.113.7.8', '1.2.3.04', ' , ,'])
      expect(behind('10.0.0.1', text)).toBe(named('10.0.0.1'))
    expect(behind('10.0.0.1', 'junk, 10.3.3.3')).toBe(named('10.3.3.3'))
  })

  it('is the farthest where all are trusted', () => {
    expect(behind('10.0.0.1', '10.0.0.3, 10.0.0.2')).toBe(named('10.0.0.3'))
  })

  it('has one name, however it is written', () => {
    const one = named('203.0.113.7')
    expect(behind('::ffff:203.0.113.7', null)).toBe(one)
    expect(behind('0000:0000:0000:0000:0000:ffff:cb00:7107', null)).toBe(one)
    expect(behind('10.0.0.1', '203.0.113.7:4711')).toBe(one)
    expect(behind('10.0.0.1', '[2001:db8::7]:4711')).toBe(behind('10.0.0.1', '2001:DB8:0::7'))
  })
})
