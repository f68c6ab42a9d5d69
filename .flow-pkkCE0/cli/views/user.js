function nameOf({ userName, fleetName }) {
  return userName && fleetName ? `${userName}, ${fleetName}` : "";
}
function userView(selectedId) {
  return {
    columns: [
      { title: "", text: (user) => user.userId === selectedId ? "*" : "", rank: 0 },
      { title: "USER", text: (user) => user.userName ?? "", min: 10, rank: 0 },
      { title: "FLEET", text: (user) => user.fleetName ?? "", min: 10, rank: 0 },
      { title: "USER ID", text: (user) => user.userId ?? "", namedBy: nameOf, rank: 0 },
      { title: "FLEET ID", text: (user) => user.fleetId ?? "", namedBy: ({ fleetName }) => fleetName, rank: 1 }
    ],
    details: [
      { title: "User", text: (user) => user.userName ?? "" },
      { title: "User id", text: (user) => user.userId ?? "" },
      { title: "Fleet", text: (user) => user.fleetName ?? "" },
      { title: "Fleet id", text: (user) => user.fleetId ?? "" }
    ],
    fields: ["userName", "userId", "fleetName", "fleetId"]
  };
}
export {
  userView
};
