// Suites of one server: what an ingest refuses, and that nothing of it is stored.
import './bad-input/events.ts'
import './bad-input/rules.ts'
import './bad-input/bodies.ts'
