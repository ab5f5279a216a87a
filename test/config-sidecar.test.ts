import { describe, expect, it } from 'vitest'
import { readSidecarConfig } from '../src/config.ts'
import { millisecond, second } from '../src/std/instant.ts'

const least = { SIDECAR_UPSTREAM: 'https://usage.example.com/', SIDECAR_KEY: 'slc_live_rw_x' }

describe('settings of the sidecar', () => {
  it('need a gateway and a key, and have defaults for the rest', () => {
    const config = readSidecarConfig(least)
    expect(config).toMatchObject({
      upstream: 'https://usage.example.com/',
      listen: { host: '127.0.0.1', port: 8090 },
      spoolMax: 268_435_456,
      linger: 50 * millisecond,
      batch: 1_000,
      opsHost: '127.0.0.1',
      opsPort: 9465,
      logLevel: 'info',
    })
    expect(config.spoolDir).toMatch(/\/spool$/)
    expect(config.key()).toBe('slc_live_rw_x')
  })

  it.each([
    ['SPOOL_MAX', '1000', { spoolMax: 1_000 }],
    ['SPOOL_MAX', '1', { spoolMax: 1 }],
    ['SPOOL_MAX', '3KiB', { spoolMax: 3_072 }],
    ['SPOOL_MAX', '2GiB', { spoolMax: 2_147_483_648 }],
    ['SIDECAR_LINGER', '0', { linger: 0 }],
    ['SIDECAR_LINGER', '2s', { linger: 2 * second }],
    ['SIDECAR_LINGER', 'PT0.25S', { linger: 250 * millisecond }],
    ['SIDECAR_BATCH', '1', { batch: 1 }],
    ['SIDECAR_LISTEN', '0.0.0.0:80', { listen: { host: '0.0.0.0', port: 80 } }],
    ['SIDECAR_LISTEN', '[::1]:0', { listen: { host: '::1', port: 0 } }],
    ['SIDECAR_LISTEN', '/run/sluice.sock', { listen: { path: '/run/sluice.sock' } }],
  ])('reads %s=%s', (name, text, expected) => {
    expect(readSidecarConfig({ ...least, [name]: text })).toMatchObject(expected)
  })

  it.each([
    ['SIDECAR_UPSTREAM', ''],
    ['SIDECAR_UPSTREAM', 'usage.example.com'],
    ['SIDECAR_UPSTREAM', 'https://usage.example.com/?key=x'],
    ['SIDECAR_UPSTREAM', 'https://usage.example.com/#x'],
    ['SIDECAR_UPSTREAM', 'https://user:secret@usage.example.com'],
    ['SIDECAR_UPSTREAM', 'https://usage.example.com/events/ingest'],
    ['SIDECAR_UPSTREAM', 'http://localhost:8090'],
    ['SIDECAR_UPSTREAM', 'http://127.0.0.1:8090/'],
    ['SIDECAR_KEY', ''],
    ['SIDECAR_KEY', 'with blank'],
    ['SIDECAR_KEY_FILE', '/etc/passwd'],
    ['SIDECAR_LISTEN', '8090'],
    ['SIDECAR_LISTEN', 'localhost:99999'],
    ['SIDECAR_LISTEN', `/${'x'.repeat(107)}`],
    ['SPOOL_MAX', '0'],
    ['SPOOL_MAX', '64MB'],
    ['SIDECAR_LINGER', '50'],
    ['SIDECAR_BATCH', '1001'],
    ['SIDECAR_BATCH', '0'],
    ['OPS_PORT', '8090'],
    ['SLUICE_KEY', 'x'],
  ])('refuses %s=%s by name', (name, text) => {
    // Nor is a password of an URL repeated.
    const said = new RegExp(`^(?!.*secret).*${name}`)
    expect(() => readSidecarConfig({ ...least, [name]: text })).toThrow(said)
  })
})
