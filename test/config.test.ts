import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { isAbsolute, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { ConfigError, readConfig } from '../src/config.ts'
import { hour, minute, second } from '../src/std/instant.ts'

const key = Buffer.alloc(32, 7).toString('base64')
const traced = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:4318' }

describe('settings', () => {
  it('have defaults that run everything embedded', () => {
    const config = readConfig({})
    expect(config).toMatchObject({
      host: '127.0.0.1',
      port: 8080,
      livePort: 8081,
      opsPort: 9464,
      hosts: null,
      opsHost: '127.0.0.1',
      databaseUrl: null,
      secretsKey: null,
      kafka: null,
      redis: null,
      publicUrl: null,
      databaseAllowOff: [],
      maxStale: 15 * minute,
      dedupeWindow: 24 * hour,
      logLevel: 'info',
      migrate: true,
      trustedProxies: [],
      webhookAllowPrivate: [],
      webhookRetention: 30 * 24 * hour,
      corsOrigins: [],
    })
    expect(isAbsolute(config.dataDir)).toBe(true)
    expect(Object.isFrozen(config)).toBe(true)
  })

  it('say who pays out, in lines', () => {
    expect(readConfig({}).operator).toBeNull()
    expect(readConfig({ OPERATOR_NAME: 'Pay GmbH' }).operator).toEqual({
      name: 'Pay GmbH',
      lines: [],
    })
    const OPERATOR_ADDRESS = 'Ring 1; 1010 Wien;; Austria '
    expect(readConfig({ OPERATOR_NAME: 'Pay GmbH', OPERATOR_ADDRESS }).operator).toEqual({
      name: 'Pay GmbH',
      lines: ['Ring 1', '1010 Wien', 'Austria'],
    })
    expect(() => readConfig({ OPERATOR_ADDRESS })).toThrow(/OPERATOR_ADDRESS needs OPERATOR_NAME/)
    const long = { OPERATOR_NAME: 'x', OPERATOR_ADDRESS: 'y;'.repeat(8) }
    expect(() => readConfig(long)).toThrow(/at most 8 lines of at most 200 characters/)
    expect(() => readConfig({ OPERATOR_NAME: 'x'.repeat(201) })).toThrow(ConfigError)
  })

  it('are read from the environment, where an empty one is absent', () => {
    const config = readConfig({
      HOST: '0.0.0.0',
      PORT: '0',
      LIVE_PORT: '0',
      OPS_PORT: '0',
      DATA_DIR: '/tmp/x',
      MAX_STALE: '90s',
      DEDUPE_WINDOW: '48h',
      MIGRATE: 'off',
      LOG_LEVEL: 'debug',
      DATABASE_URL: 'postgres://u@h/d',
      SECRETS_KEY: key,
      PUBLIC_URL: 'https://x.io/pay/',
      TRUSTED_PROXIES: '10.0.0.0/8, ::1',
      TEST_HOST: 'Test.x.io',
      LIVE_HOST: 'x.io',
      KAFKA_BROKERS: '',
      REDIS_URL: '',
    })
    expect(config).toMatchObject({
      host: '0.0.0.0',
      port: 0,
      livePort: 0,
      opsPort: 0,
      dataDir: '/tmp/x',
      // Whatever HOST is.
      opsHost: '127.0.0.1',
      maxStale: 90 * second,
      dedupeWindow: 48 * hour,
      migrate: false,
      logLevel: 'debug',
      publicUrl: 'https://x.io/pay',
      trustedProxies: ['10.0.0.0/8', '::1'],
      hosts: { test: 'test.x.io', live: 'x.io' },
    })
    expect(config.secretsKey).toEqual(new Uint8Array(32).fill(7))
  })

  it.each([
    ['PORT', { PORT: '65536' }],
    ['PORT', { PORT: '80a' }],
    ['OPS_PORT', { OPS_PORT: '8080' }],
    ['LIVE_PORT', { LIVE_PORT: '8080' }],
    ['TEST_HOST', { TEST_HOST: 'a.io' }],
    ['LIVE_HOST', { TEST_HOST: 'a.io', LIVE_HOST: 'a.io' }],
    ['LIVE_HOST', { TEST_HOST: 'a.io', LIVE_HOST: 'http://a.io' }],
    ['MAX_STALE', { MAX_STALE: '15' }],
    ['MAX_STALE', { MAX_STALE: '-1s' }],
    ['DEDUPE_WINDOW', { DEDUPE_WINDOW: '119m' }],
    ['WEBHOOK_RETENTION', { WEBHOOK_RETENTION: '23h' }],
    ['WEBHOOK_RETENTION', { WEBHOOK_RETENTION: '30 days' }],
    ['DATABASE_URL', { DATABASE_URL: 'mysql://x', SECRETS_KEY: key }],
    ['DATABASE_ALLOW_OFF', { DATABASE_ALLOW_OFF: 'fsync,wal_level' }],
    ['SECRETS_KEY', { DATABASE_URL: 'postgres://x' }],
    ['SECRETS_KEY', { SECRETS_KEY: 'c2hvcnQ=' }],
    ['SECRETS_KEY', { SECRETS_KEY: `${key} ${key}` }],
    ['KAFKA_REPLICATION', { KAFKA_REPLICATION: '0' }],
    ['KAFKA_BROKERS', { KAFKA_BROKERS: 'localhost' }],
    ['KAFKA_BROKERS', { KAFKA_BROKERS: 'a:9092,b:99999' }],
    ['KAFKA_TLS', { KAFKA_TLS: 'yes' }],
    ['KAFKA_TLS_CA', { KAFKA_TLS_CA: '/nowhere/ca.pem' }],
    ['KAFKA_TLS_CA', { KAFKA_TLS_CA: import.meta.filename }],
    ['KAFKA_BROKERS', { KAFKA_TLS: 'on' }],
    ['KAFKA_BROKERS', { KAFKA_SASL: 'plain', KAFKA_USERNAME: 'u', KAFKA_PASSWORD: 'p' }],
    ['KAFKA_SASL', { KAFKA_BROKERS: 'k:9092', KAFKA_USERNAME: 'u', KAFKA_PASSWORD: 'p' }],
    ['KAFKA_SASL', { KAFKA_SASL: 'gssapi' }],
    ['KAFKA_PASSWORD', { KAFKA_SASL: 'plain', KAFKA_USERNAME: 'u' }],
    ['REDIS_URL', { REDIS_URL: 'http://localhost' }],
    ['REDIS_TLS_CA', { REDIS_URL: 'rediss://localhost', REDIS_TLS_CA: '/nowhere/ca.pem' }],
    ['HOST', { HOST: '300.1.1.1' }],
    ['OPS_HOST', { OPS_HOST: 'no host' }],
    ['OPS_HOST', { OPS_HOST: '10.0.0.0/8' }],
    ['OPS_HOST', { OPS_HOST: '127.0.0.1:9464' }],
    ['TRUSTED_PROXIES', { TRUSTED_PROXIES: 'proxy.internal' }],
    ['PUBLIC_URL', { PUBLIC_URL: 'x.io' }],
    ['PUBLIC_URL', { PUBLIC_URL: 'https://x.io/?shop=1' }],
    ['PUBLIC_URL', { PUBLIC_URL: 'https://x.io/#pay' }],
    ['PUBLIC_URL', { PUBLIC_URL: 'https://user:secret@x.io' }],
    ['TRUSTED_PROXIES', { TRUSTED_PROXIES: '10.0.0.0/33' }],
    ['WEBHOOK_ALLOW_PRIVATE', { WEBHOOK_ALLOW_PRIVATE: 'localhost' }],
    ['CORS_ORIGINS', { CORS_ORIGINS: 'app.example.com' }],
    ['CORS_ORIGINS', { CORS_ORIGINS: 'https://app.example.com/' }],
    ['CORS_ORIGINS', { CORS_ORIGINS: 'null' }],
    ['LOG_LEVEL', { LOG_LEVEL: 'loud' }],
    ['OTEL_EXPORTER_OTLP_ENDPOINT', { OTEL_EXPORTER_OTLP_ENDPOINT: 'collector:4318' }],
    ['OTEL_EXPORTER_OTLP_PROTOCOL', { ...traced, OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc' }],
    ['MIGRATE', { MIGRATE: 'yes' }],
    ['SLUICE_PORT', { SLUICE_PORT: '1' }],
  ])('that cannot work are refused in one sentence that names %s', (name, environment) => {
    const read = () => readConfig(environment)
    expect(read).toThrow(ConfigError)
    expect(read).toThrow(new RegExp(`^[^\\n]*${name}[^\\n]*\\.$`))
  })

  it('that say how to reach a Redis that nobody named are refused', () => {
    const folder = mkdtempSync(join(tmpdir(), 'config-'))
    const ca = join(folder, 'ca.pem')
    // In two parts, since this file is the one that is no certificate above.
    writeFileSync(ca, ['-----BEGIN', 'CERTIFICATE-----'].join(' '))
    const read = () => readConfig({ REDIS_TLS_CA: ca })
    expect(read).toThrow('REDIS_TLS_CA is set, but REDIS_URL is not')
    rmSync(folder, { recursive: true })
  })

  it('ask for traces as OpenTelemetry says', () => {
    const asks = (environment: Record<string, string>) => readConfig(environment).tracing
    expect(asks({})).toBe(false)
    expect(asks(traced)).toBe(true)
    expect(asks({ OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'http://collector:4318/v1/traces' })).toBe(
      true,
    )
    expect(asks({ ...traced, OTEL_SDK_DISABLED: 'true' })).toBe(false)
    expect(asks({ ...traced, OTEL_TRACES_EXPORTER: 'none' })).toBe(false)
  })

  it('name a Kafka cluster and how to reach it', () => {
    expect(readConfig({ KAFKA_BROKERS: 'kafka-1:9092, [::1]:9092' }).kafka).toEqual({
      brokers: ['kafka-1:9092', '[::1]:9092'],
      clientId: 'sluice',
      tls: null,
      sasl: null,
      replication: 3,
    })
    const secured = readConfig({
      KAFKA_BROKERS: 'k:9093',
      KAFKA_TLS: 'on',
      KAFKA_SASL: 'scram-sha-256',
      KAFKA_USERNAME: 'u',
      KAFKA_PASSWORD: 'p',
      KAFKA_REPLICATION: '1',
    })
    expect(secured.kafka).toMatchObject({
      tls: { ca: null, cert: null, key: null },
      sasl: { mechanism: 'scram-sha-256', username: 'u', password: 'p' },
      replication: 1,
    })
  })

  it('never show a password', () => {
    const read = () => readConfig({ DATABASE_URL: 'mysql://u:hunter2@h/d', SECRETS_KEY: key })
    expect(read).toThrow(/^(?!.*hunter2)/)
  })
})

describe('FILES_URL', () => {
  const keys = { AWS_ACCESS_KEY_ID: 'a', AWS_SECRET_ACCESS_KEY: 's' }

  it('names a bucket, what its names begin with, an endpoint and a region', () => {
    expect(readConfig({}).files).toBeNull()
    const url = 's3://shop/a/b/?endpoint=http://127.0.0.1:9000/&region=eu-central-1'
    expect(readConfig({ FILES_URL: url, ...keys, AWS_SESSION_TOKEN: 't' }).files).toEqual({
      bucket: 'shop',
      prefix: 'a/b/',
      endpoint: 'http://127.0.0.1:9000',
      region: 'eu-central-1',
      accessKeyId: 'a',
      secretAccessKey: 's',
      sessionToken: 't',
    })
    const ofAmazon = readConfig({ FILES_URL: 's3://shop', AWS_REGION: 'eu-west-3', ...keys }).files
    expect(ofAmazon).toMatchObject({
      prefix: '',
      endpoint: 'https://s3.eu-west-3.amazonaws.com',
      sessionToken: null,
    })
  })

  it.each([
    ['http://shop', keys],
    ['s3://', keys],
    ['s3://Shop_!', keys],
    ['s3://shop/a b', keys],
    ['s3://shop?endpoint=ftp://x', keys],
    ['s3://shop?endpont=http://x', keys],
    ['s3://user:secret@shop', keys],
    ['s3://shop?region=a/b', keys],
    ['s3://shop', { AWS_ACCESS_KEY_ID: 'a' }],
    ['s3://shop', {}],
  ])('cannot be %s with %j, and never repeats a secret', (url, access) => {
    const read = () => readConfig({ FILES_URL: url, ...access })
    expect(read).toThrow(ConfigError)
    expect(read).toThrow(/^FILES_URL (must|needs)/)
    expect(read).not.toThrow('secret')
  })
})
