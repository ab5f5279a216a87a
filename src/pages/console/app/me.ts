/** Who is logged in, as `GET /console/api/me` answers. */
export interface Me {
  readonly user_id: string
  readonly email: string
  readonly name: string | null
  readonly role: 'owner' | 'viewer'
  readonly business_id: string
  readonly business_name: string
  readonly rate_tier: string
  readonly now: { readonly test: string; readonly live: string }
  readonly clock_ahead_seconds: number
  readonly session_id: string
}
