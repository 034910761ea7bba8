export type { InboxApplication } from './use-cases.ts';
export type { TopicState, WatchedTopic } from './read-topic.ts';
