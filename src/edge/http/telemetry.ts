/** Where diagnostics go. Never a payload, a key or a customer. */
export interface Logger {
  info(fields: object, message: string): void
  warn(fields: object, message: string): void
  error(fields: object, message: string): void
}

export interface HttpMetrics {
  /**
   * `http_requests_total{route,method,code}` and `http_request_duration_seconds{route}`. `route` is
   * a pattern or `unknown`, so that labels stay few.
   */
  request(route: string, method: string, status: number, seconds: number): void
}
