import { describe, expect, it } from 'vitest'
import { destinations } from '../../../src/rules/facts/destination.ts'

const closed = destinations([], '127.0.0.1')
const open = destinations(['10.1.0.0/16', 'fd00::/8', 'hooks.internal', '192.168.7.7'], '127.0.0.1')

describe('where webhooks may go', () => {
  it.each([
    // address, test mode, live mode
    ['93.184.216.34', true, true],
    ['2606:2800:220:1::1', true, true],
    ['127.0.0.1', true, false],
    ['127.255.255.254', true, false],
    ['::1', true, false],
    ['::ffff:127.0.0.1', true, false],
    ['0.0.0.0', false, false],
    ['::', false, false],
    ['10.0.0.1', false, false],
    ['172.16.0.1', false, false],
    ['172.32.0.1', true, true],
    ['192.168.0.1', false, false],
    ['169.254.169.254', false, false],
    ['::ffff:169.254.169.254', false, false],
    ['::ffff:a9fe:a9fe', false, false],
    ['::169.254.169.254', false, false],
    ['64:ff9b::a9fe:a9fe', false, false],
    ['2002:a9fe:a9fe::1', false, false],
    ['2001::a9fe:a9fe', false, false],
    ['100.64.0.1', false, false],
    ['198.18.0.1', false, false],
    ['224.0.0.1', false, false],
    ['255.255.255.255', false, false],
    ['fe80::1', false, false],
    ['fe80::1%eth0', false, false],
    ['fd12::1', false, false],
    ['ff02::1', false, false],
    ['not an address', false, false],
  ])('%s: test %s, live %s', (address, test, live) => {
    expect(closed.allows('test', 'example.com', address)).toBe(test)
    expect(closed.allows('live', 'example.com', address)).toBe(live)
  })

  it.each([
    ['https://example.com/hooks?x=1', true, true],
    ['http://example.com:8080', true, true],
    ['http://127.0.0.1:3000/', true, false],
    ['http://localhost:3000/', true, false],
    ['http://LOCALHOST./', true, false],
    ['http://api.localhost/', true, false],
    ['http://[::1]:3000/', true, false],
    ['http://[::ffff:127.0.0.1]/', true, false],
    ['http://2130706433/', true, false],
    ['http://0x7f.1/', true, false],
    ['http://0177.0.0.1/', true, false],
    ['http://2852039166/latest/meta-data', false, false],
    ['http://169.254.169.254/', false, false],
    ['http://[::ffff:a9fe:a9fe]/', false, false],
    ['http://0.0.0.0/', false, false],
    ['http://0/', false, false],
    ['http://10.0.0.1/', false, false],
    ['http://[fd12::1]/', false, false],
    ['ftp://example.com/', false, false],
    ['file:///etc/passwd', false, false],
    ['https://user:word@example.com/', false, false],
    ['example.com/hooks', false, false],
    ['', false, false],
  ])('%s: test %s, live %s', (url, test, live) => {
    expect(closed.problemOf(url, 'test') === null).toBe(test)
    expect(closed.problemOf(url, 'live') === null).toBe(live)
  })

  it.each([
    ['127.0.0.1', true],
    ['localhost', true],
    ['::1', true],
    ['127.1.2.3', true],
    ['0.0.0.0', false],
    ['::', false],
    ['10.1.2.3', false],
    ['sluice.internal', false],
  ])('lets test mode reach loopback where we listen on %s: %s', (serving, reaches) => {
    const place = destinations([], serving)
    for (const url of ['http://127.0.0.1:1/', 'http://localhost/', 'http://[::1]/']) {
      expect(place.problemOf(url, 'test') === null).toBe(reaches)
      expect(place.problemOf(url, 'live')).not.toBeNull()
    }
    expect(place.allows('test', 'rebound.example', '127.0.0.1')).toBe(reaches)
    expect(place.allows('test', 'a.example', '93.184.216.34')).toBe(true)
    const listed = destinations(['127.0.0.0/8'], serving)
    expect(listed.problemOf('http://127.0.0.1:1/', 'test')).toBeNull()
  })

  it('lets the operator list hosts, addresses and networks', () => {
    expect(open.allows('live', 'a.example', '10.1.2.3')).toBe(true)
    expect(open.allows('live', 'a.example', '::ffff:10.1.2.3')).toBe(true)
    expect(open.allows('live', 'a.example', '10.2.2.3')).toBe(false)
    expect(open.allows('live', 'a.example', 'fd99::1')).toBe(true)
    expect(open.allows('live', 'hooks.internal', '172.16.0.9')).toBe(true)
    expect(open.allows('live', 'other.internal', '172.16.0.9')).toBe(false)
    expect(open.problemOf('http://192.168.7.7/', 'live')).toBeNull()
    expect(open.problemOf('http://192.168.7.8/', 'live')).not.toBeNull()
    expect(
      destinations(['localhost'], '127.0.0.1').problemOf('http://localhost:1/', 'live'),
    ).toBeNull()
  })

  it('names an entry that it cannot read', () => {
    expect(() => destinations(['10.0.0.0/99'], '127.0.0.1')).toThrow("'10.0.0.0/99'")
    expect(() => destinations(['a b'], '127.0.0.1')).toThrow("'a b'")
  })
})
