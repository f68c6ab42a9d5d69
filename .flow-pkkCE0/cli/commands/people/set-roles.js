import { examples } from "../../context/define-command.js";
import { printRecord } from "../../context/print.js";
import { refusal } from "../../errors/cli-error.js";
import { findRecord } from "../../find/record.js";
import { change } from "../../plan/change.js";
import { referenceTo } from "../../plan/change-spec.js";
import { addChangeFlags } from "../../plan/flags.js";
import { personKind } from "../../records/person.js";
import { roleKind } from "../../records/reference-data.js";
const defineSetRoles = (noun, open) => {
  const set = noun.command("set-roles").description("set the roles of a person (setPersonCustomRoles); they replace all earlier roles").argument("[person]", "id, or the whole name, e-mail or employee id; leave out with --input").argument("[role...]", "ids or whole names").option("--none", "remove all roles");
  addChangeFlags(set);
  set.addHelpText(
    "after",
    examples(
      ['fleet people set-roles "Anna Lind" Dispatcher Accountant', ""],
      ["fleet roles list", "list all roles"]
    )
  ).action((person, roles, flags) => {
    if (flags.none && roles.length > 0) {
      throw refusal("--none removes all roles, but roles to set are given too.", {
        hint: "Leave out --none, or the roles."
      });
    }
    return change(open(), flags, {
      operation: personKind.roles,
      subject: { kind: personKind, action: "update" },
      input: null,
      references: [
        referenceTo(personKind, person),
        {
          name: "roleIds",
          into: "variables",
          kind: roleKind,
          typed: roles.length > 0 || flags.none ? roles : void 0,
          list: true,
          requiredAs: "<role>"
        }
      ],
      flags: {},
      display: { print: (context, client, { variables }) => showPerson(context, client, String(variables.personId)) }
    });
  });
};
async function showPerson(context, client, id) {
  await printRecord(context, await findRecord(context, client, personKind, id, { substring: false }), personKind.view);
}
export {
  defineSetRoles
};
