const count = (value) => value === null ? "" : String(value);
const tableReportView = {
  columns: [
    { title: "TABLE", text: ({ table }) => table, rank: 0 },
    { title: "READ", text: ({ read }) => count(read), align: "right", rank: 1 },
    { title: "WRITTEN", text: ({ written }) => count(written), align: "right", rank: 0 },
    { title: "ADDED", text: ({ added }) => count(added), align: "right", rank: 2 },
    { title: "CHANGED", text: ({ changed }) => count(changed), align: "right", rank: 3 },
    { title: "REMOVED", text: ({ removed }) => count(removed), align: "right", rank: 4 }
  ],
  fields: ["table", "read", "written", "added", "changed", "removed"]
};
const plannedPartView = {
  columns: [
    { title: "PART", text: ({ part }) => part, rank: 0 },
    { title: "VEHICLES", text: ({ vehicles }) => count(vehicles), align: "right", rank: 0 },
    { title: "FROM", text: ({ from }) => from ?? "", rank: 0 },
    { title: "TO", text: ({ to }) => to ?? "", rank: 0 }
  ],
  fields: ["part", "vehicles", "from", "to"]
};
export {
  plannedPartView,
  tableReportView
};
