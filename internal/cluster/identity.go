package cluster

import (
	"cmp"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/sha256"
	"crypto/tls"
	"crypto/x509"
	"encoding/hex"
	"encoding/pem"
	"errors"
	"fmt"
	"math/big"
	"net"
	"net/url"
	"os"
	"path/filepath"
	"time"
)

// identity is what the embedded engine of a run is known by. It stays the same when a coordinator is started again, so
// that workers find it.
type identity struct {
	Address
	certificate tls.Certificate
}

// certificateFile holds certificate and private key of an embedded engine, in the folder of the run.
const certificateFile = "coordinator.pem"

// identityIn reads the identity of a run, or makes one.
func identityIn(dir string) (identity, error) {
	if a, err := ReadAddress(dir); err == nil && a.embedded() {
		data, err := os.ReadFile(filepath.Join(dir, certificateFile))
		if err == nil {
			c, err := tls.X509KeyPair(data, data)
			if err == nil && fingerprint(c.Certificate[0]) == a.Fingerprint {
				return identity{a, c}, nil
			}
		}
	}
	data, err := newCertificate()
	if err != nil {
		return identity{}, err
	}
	if err := writePrivate(filepath.Join(dir, certificateFile), data); err != nil {
		return identity{}, fmt.Errorf("keeping the certificate of the run: %w", err)
	}
	c, err := tls.X509KeyPair(data, data)
	if err != nil {
		return identity{}, err
	}
	a := Address{Run: randomHex(8), Secret: randomHex(16), Fingerprint: fingerprint(c.Certificate[0])}
	return identity{a, c}, nil
}

// newCertificate makes a certificate that nothing but its fingerprint vouches for.
func newCertificate() ([]byte, error) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return nil, err
	}
	now := time.Now()
	template := &x509.Certificate{
		SerialNumber: big.NewInt(now.UnixNano()),
		NotBefore:    now.Add(-24 * time.Hour), // clocks differ
		NotAfter:     now.AddDate(10, 0, 0),
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, &key.PublicKey, key)
	if err != nil {
		return nil, err
	}
	private, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		return nil, err
	}
	block := func(kind string, bytes []byte) []byte {
		return pem.EncodeToMemory(&pem.Block{Type: kind, Bytes: bytes})
	}
	return append(block("CERTIFICATE", der), block("PRIVATE KEY", private)...), nil
}

func fingerprint(der []byte) string {
	h := sha256.Sum256(der)
	return hex.EncodeToString(h[:])
}

func randomHex(bytes int) string {
	b := make([]byte, bytes)
	rand.Read(b) // which never fails
	return hex.EncodeToString(b)
}

// errImpostor says that another certificate was shown.
var errImpostor = errors.New("what answers has another certificate than the coordinator of the run")

// pinned accepts one certificate only, whoever signed it.
func pinned(want string) *tls.Config {
	return &tls.Config{
		MinVersion:         tls.VersionTLS13,
		InsecureSkipVerify: true, // the fingerprint takes the place of names and authorities
		VerifyConnection: func(s tls.ConnectionState) error {
			if len(s.PeerCertificates) == 0 || fingerprint(s.PeerCertificates[0].Raw) != want {
				return errImpostor
			}
			return nil
		},
	}
}

// listenAt returns where an embedded engine listens, and the host that others are told. Without a port it is that of
// the coordinator before, or any.
func listenAt(given, before string) (host, told string, port int, err error) {
	host, port = "0.0.0.0", -1
	if u, err := url.Parse(before); err == nil && before != "" {
		if p, err := net.LookupPort("tcp", u.Port()); err == nil {
			told, port = u.Hostname(), p
		}
	}
	if given == "" {
		return host, cmp.Or(told, ownName()), port, nil
	}
	h, p, err := net.SplitHostPort(given)
	if err != nil { // without a port
		h, p = given, ""
	}
	if p != "" {
		if port, err = net.LookupPort("tcp", p); err != nil {
			return "", "", 0, fmt.Errorf("--cluster listen=%s: %w (want listen=HOST:PORT)", given, err)
		}
	}
	if h == "" {
		return host, ownName(), port, nil
	}
	return h, h, port, nil
}

// ownName returns a name or address of this machine that others may reach.
func ownName() string {
	if name, err := os.Hostname(); err == nil {
		if _, err := net.LookupHost(name); err == nil {
			return name
		}
	}
	addresses, _ := net.InterfaceAddrs() // without any, it is this machine alone
	for _, a := range addresses {
		if ip, ok := a.(*net.IPNet); ok && ip.IP.IsGlobalUnicast() {
			return ip.IP.String()
		}
	}
	return "127.0.0.1"
}
