export type { KafkaSettings } from '../../kafka/settings.ts'
