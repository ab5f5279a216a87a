import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { run } from './programs.ts'
import { scratch } from './scratch.ts'

/** Files of a throw-away authority, in PEM. */
export interface Certificates {
  /** The authority's own certificate, which clients must trust. */
  readonly ca: string
  /**
   * A certificate that it has signed for servers on 127.0.0.1 and localhost; clients may use it,
   * too.
   */
  readonly cert: string
  readonly key: string
  /** Key and certificate in one file, as Kafka wants them. */
  readonly both: string
}

let made: Promise<Certificates> | null = null

/** Makes an authority and a certificate with openssl, once in this process; they go with it. */
export function certificates(): Promise<Certificates> {
  made ??= make(scratch('tls').path)
  return made
}

async function make(directory: string): Promise<Certificates> {
  const file = (name: string) => join(directory, name)
  const curve = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-days', '2']
  const authority = [...curve, '-subj', '/CN=Throw-away authority', '-keyout', file('ca.key')]
  writeFileSync(file('none.cnf'), '[req]\ndistinguished_name=dn\n[dn]\n')
  const request = ['openssl', 'req', '-x509', '-config', file('none.cnf')]
  await run([
    ...[...request, ...authority, '-out', file('ca.pem')],
    ...['-addext', 'basicConstraints=critical,CA:true'],
    ...['-addext', 'keyUsage=critical,keyCertSign'],
  ])
  await run([
    ...[...request, ...curve, '-subj', '/CN=localhost', '-keyout', file('server.key')],
    ...['-CA', file('ca.pem'), '-CAkey', file('ca.key'), '-out', file('server.pem')],
    ...['-addext', 'subjectAltName=DNS:localhost,IP:127.0.0.1'],
    ...['-addext', 'basicConstraints=critical,CA:false'],
    ...['-addext', 'extendedKeyUsage=serverAuth,clientAuth'],
  ])
  const [key, cert] = [file('server.key'), file('server.pem')]
  const both = file('both.pem')
  writeFileSync(both, await run(['cat', key, cert]), { mode: 0o600 })
  return { ca: file('ca.pem'), cert, key, both }
}
