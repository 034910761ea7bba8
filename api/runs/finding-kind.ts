// Apart from the schemas, so that the console can ask without having them in its scripts.
export { isAboutTheRun, isAlarming, ROW_MARKS, takesAnswer } from '../../domain/runs/run-finding.ts';
