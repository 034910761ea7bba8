/** A use case: a function of what it needs, and of what it is called with. */
type UseCase<Dependencies> = (dependencies: Dependencies, ...args: never[]) => unknown;

type Bound<Dependencies, UseCases> = {
  [Name in keyof UseCases]: UseCases[Name] extends (dependencies: Dependencies, ...args: infer Args) => infer Answer
    ? (...args: Args) => Answer
    : never;
};

/** The use cases without their first argument, as the server calls them. */
export function bindUseCases<Dependencies, const UseCases extends Readonly<Record<string, UseCase<Dependencies>>>>(
  dependencies: Dependencies,
  useCases: UseCases,
): Bound<Dependencies, UseCases> {
  const bound = Object.entries(useCases).map(([name, useCase]) => [name, useCase.bind(null, dependencies)] as const);
  return Object.fromEntries(bound) as Bound<Dependencies, UseCases>;
}
