import { describe, expect, it } from 'vitest'
import { parseRedisUrl } from '../../src/parts/redis-settings.ts'

const open = { username: null, password: null, tls: null }
const local = { kind: 'single', host: 'localhost', port: 6379, db: 0, ...open }

describe('REDIS_URL', () => {
  it.each([
    ['redis://localhost', local],
    ['redis://localhost/', local],
    ['redis://localhost:7000/3', { ...local, port: 7000, db: 3 }],
    ['redis://[::1]:7000', { ...local, host: '::1', port: 7000 }],
    ['rediss://localhost', { ...local, tls: { ca: null } }],
    ['redis://:p%40ss%2F@localhost', { ...local, password: 'p@ss/' }],
    ['redis://me:a:b@localhost', { ...local, username: 'me', password: 'a:b' }],
    [
      'rediss+sentinel://:x@a:1,b,[::1]:3/main/2',
      {
        kind: 'sentinel',
        sentinels: [
          { host: 'a', port: 1 },
          { host: 'b', port: 26379 },
          { host: '::1', port: 3 },
        ],
        name: 'main',
        db: 2,
        username: null,
        password: 'x',
        tls: { ca: null },
      },
    ],
    [
      'redis+cluster://a:1,b',
      {
        kind: 'cluster',
        nodes: [
          { host: 'a', port: 1 },
          { host: 'b', port: 6379 },
        ],
        ...open,
      },
    ],
  ])('reads %s', (text, settings) => {
    expect(parseRedisUrl(text)).toEqual(settings)
  })

  it.each([
    '',
    'localhost',
    'http://localhost',
    'redis://',
    'redis://a,b',
    'redis://localhost:0',
    'redis://localhost:65536',
    'redis://localhost:x',
    'redis://localhost/x',
    'redis://localhost/1/2',
    'redis://localhost?db=1',
    'redis://me@localhost',
    'redis://me:@localhost',
    'redis://:%zz@localhost',
    'redis+sentinel://a:1,b:2',
    'redis+sentinel://a:1/',
    'redis+sentinel://a:1/main/x',
    'redis+cluster://a:1/0',
    'redis+cluster://a:1,,b:2',
    'redis+other://a',
  ])('refuses %s', (text) => {
    expect(parseRedisUrl(text)).toBeNull()
  })
})
