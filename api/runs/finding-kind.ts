// Apart from the schemas, so that the console can ask without having them in its scripts.
export { isAboutTheRun, isAlarming, takesAnswer } from '../../domain/runs/run-finding.ts';
