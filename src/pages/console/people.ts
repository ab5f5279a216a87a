import { parse } from '../../edge/http/parse.ts'
import type { Reply, Request, Route } from '../../edge/http/route.ts'
import { noContent, ok, route } from '../../edge/http/route.ts'
import { notFound } from '../../faults.ts'
import type { ChangePasswordNeeds } from '../../operations/users/change-password.ts'
import { changePassword } from '../../operations/users/change-password.ts'
import { isSessionOpen } from '../../operations/users/current-session.ts'
import type { BegunSession, Browser, LogInNeeds } from '../../operations/users/log-in.ts'
import { beginSession, logInUser } from '../../operations/users/log-in.ts'
import type { SetUpUserNeeds } from '../../operations/users/set-up-user.ts'
import { setUpUser, userOfSetup } from '../../operations/users/set-up-user.ts'
import { userLimits } from '../../operations/users/user-limits.ts'
import type { Users } from '../../parts/store/users.ts'
import { second } from '../../std/instant.ts'
import {
  consoleSessionView,
  logInRequest,
  meView,
  passwordRequest,
  setupQuestion,
  setupRequest,
  setupView,
} from '../../wire/console-user.ts'
import { cookieWord, setCookie } from './cookie.ts'
import { fileOf } from './exports.ts'
import { refuseForeign } from './foreign.ts'
import type { VisitorNeeds } from './visitor.ts'
import { sessionOfRequest } from './visitor.ts'

export interface PeopleNeeds
  extends VisitorNeeds,
    LogInNeeds,
    SetUpUserNeeds,
    Omit<ChangePasswordNeeds, 'consoleSessions'> {
  readonly users: Pick<Users, 'findByEmail' | 'findBySetup'>
  readonly consoleSessions: LogInNeeds['consoleSessions']
  readonly passwords: ChangePasswordNeeds['passwords']
}

/** Logging in and out, and the sessions of who is logged in. [security#the-console] */
export function peopleRoutes(needs: PeopleNeeds): readonly Route[] {
  const { consoleSessions, clock, publicUrl } = needs
  const open = [
    route('POST', '/console/api/log-in', 'public', enter),
    route('POST', '/console/api/setup/look', 'public', look),
    route('POST', '/console/api/setup', 'public', setUp),
    route('POST', '/console/api/log-out', 'public', leave, 'none'),
    route('GET', '/console/api/me', 'public', me),
    route('GET', '/console/api/sessions', 'public', list),
    route('GET', '/console/api/sessions/csv', 'public', file),
    route('DELETE', '/console/api/sessions/:id', 'public', end),
    route('POST', '/console/api/password', 'public', password),
  ]
  return open.map((one) => ({ ...one, isPage: true }))

  async function enter(request: Request): Promise<Reply> {
    refuseForeign(request, publicUrl)
    const given = parse(logInRequest, request.body)
    return begun(request, await logInUser(needs, { ...given, browser: browserOf(request) }))
  }

  async function look(request: Request): Promise<Reply> {
    refuseForeign(request, publicUrl)
    return ok(setupView(await userOfSetup(needs, parse(setupQuestion, request.body).word)))
  }

  async function setUp(request: Request): Promise<Reply> {
    refuseForeign(request, publicUrl)
    const user = await setUpUser(needs, parse(setupRequest, request.body))
    return begun(request, await beginSession(needs, user, browserOf(request)))
  }

  /** Also of a session that is over already: the browser forgets it all the same. */
  async function leave(request: Request): Promise<Reply> {
    refuseForeign(request, publicUrl)
    const found = await sessionOfRequest(needs, request).catch(() => null)
    if (found !== null) await consoleSessions.end(found.user.userId, found.session.sessionId)
    return withCookie(request, noContent, null)
  }

  async function me(request: Request): Promise<Reply> {
    return unstored(ok(meView(await sessionOfRequest(needs, request), clock.now())))
  }

  async function list(request: Request): Promise<Reply> {
    return unstored(ok({ items: await openSessions(request) }))
  }

  async function file(request: Request): Promise<Reply> {
    return fileOf('sessions', await openSessions(request))
  }

  async function openSessions(request: Request) {
    const { session, user } = await sessionOfRequest(needs, request)
    const now = clock.now()
    const all = await consoleSessions.list(user.userId)
    return all
      .filter((one) => isSessionOpen(one, now))
      .map((one) => consoleSessionView(one, one.sessionId === session.sessionId))
  }

  async function end(request: Request): Promise<Reply> {
    const { user } = await sessionOfRequest(needs, request)
    const id = request.param('id')
    if (!(await consoleSessions.end(user.userId, id))) throw notFound('session', id.slice(0, 255))
    return noContent
  }

  async function password(request: Request): Promise<Reply> {
    const found = await sessionOfRequest(needs, request)
    const wanted = parse(passwordRequest, request.body)
    await changePassword(needs, found, { ...wanted, address: request.address ?? '' })
    return noContent
  }

  function browserOf(request: Request): Browser {
    return {
      name: request.header('user-agent') ?? '',
      address: request.address ?? '',
      word: cookieWord(request, publicUrl),
    }
  }

  function begun(request: Request, { word }: BegunSession): Reply {
    return withCookie(request, noContent, word)
  }

  function withCookie(request: Request, reply: Reply, word: string | null): Reply {
    const seconds = (userLimits.session + userLimits.browserKnown) / second
    const cookie = setCookie(request, publicUrl, { word, seconds })
    return { ...reply, headers: { ...reply.headers, 'Set-Cookie': cookie, ...unkept } }
  }
}

const unkept = { 'Cache-Control': 'no-store' } as const

const unstored = (reply: Reply): Reply => ({ ...reply, headers: { ...reply.headers, ...unkept } })
