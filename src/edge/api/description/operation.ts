import type { Described } from '../../../wire/described/described.ts'
import type { Route } from '../../http/route.ts'

/** What the description has of a route. */
export type ServedRoute = Pick<Route, 'method' | 'pattern' | 'access' | 'bodyKind'>

/** A route with what is said of it. */
export type DescribedOperation = ServedRoute & Described
