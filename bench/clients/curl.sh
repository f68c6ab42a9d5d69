#!/bin/sh
# Plain curl against the reference service at FLEET_BASE_URL: logs in, lists vehicles, renames one, reads it back, and meets
# an error. node reads single values out of the JSON, so that nothing but curl and Node is needed.
set -eu
base=${FLEET_BASE_URL:-http://127.0.0.1:4010}

# pick <expression>: the value of a JavaScript expression over the JSON on stdin, which is called it.
pick() {
  node -e "const it = JSON.parse(require('fs').readFileSync(0, 'utf8')); process.stdout.write(String($1))"
}

# ask <body>: one GraphQL request.
ask() {
  curl --silent --show-error --compressed "$base/graphql" \
    --header "Authorization: Bearer $token" --header "userId: $user" --header 'Content-Type: application/json' --data "$1"
}

fail() {
  echo "curl: $1" >&2
  exit 1
}

token=$(curl --silent --show-error --fail --form username=demo --form password=demo "$base/login/token" | pick it.access_token)
user=$(curl --silent --show-error --fail --header "Authorization: Bearer $token" "$base/login/userinfo" | pick 'it[0].userId')

list=$(ask '{"query":"{ getVehicles { id name } }"}')
count=$(echo "$list" | pick it.data.getVehicles.length)
id=$(echo "$list" | pick 'it.data.getVehicles[0].id')
[ "$count" -gt 0 ] || fail 'no vehicles'
echo "  lists $count vehicles"

rename='mutation Rename($id: UUID!, $input: VehicleInput!) { updateVehicle(vehicleId: $id, vehicleInput: $input) { name } }'
ask "{\"query\":\"$rename\",\"variables\":{\"id\":\"$id\",\"input\":{\"name\":\"Seen by curl\"}}}" >/dev/null
name=$(ask "{\"query\":\"{ getVehicleById(id: \\\"$id\\\") { name } }\"}" | pick it.data.getVehicleById.name)
[ "$name" = 'Seen by curl' ] || fail "the name reads $name"
echo '  renames one and reads it back'

answer=$(ask '{"query":"{ getVehicles { wheels } }"}')
[ "$(echo "$answer" | pick 'it.errors[0].extensions.classification')" = ValidationError ] || fail "a bad query is answered $answer"
echo "  shows its error: $(echo "$answer" | pick 'it.errors[0].message')"
