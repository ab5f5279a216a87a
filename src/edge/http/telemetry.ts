export interface HttpMetrics {
  /**
   * `http_requests_total{route,method,code}` and `http_request_duration_seconds{route}`. `route` is
   * a pattern or `unknown`, so that labels stay few.
   */
  request(route: string, method: string, status: number, seconds: number): void
}
